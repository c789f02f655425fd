// The bar under the felt. Its height and its places are the same in all stages; what stands in them follows the moment.
import { html, useEffect } from "../kit/html.js";
import { useCountdown } from "../kit/clock.js";
import { arrowsMove } from "../kit/keys.js";
import { PHONE, useMedia } from "../kit/media.js";
import { gain, money } from "../kit/money.js";
import { settings } from "../kit/settings.js";
import { useStore } from "../kit/store.js";
import { capital, numberName, rankName } from "../kit/words.js";
import { Action, ONE_CARD, PlainAction, QuietAction } from "../parts/action.js";
import { sideTitle } from "../parts/box.js";
import { stakeOf } from "../parts/hand.js";
import { Chips } from "../parts/clause.js";
import { toldTo } from "../parts/log.js";
import { Sentence } from "../parts/sentence.js";
import { Strip } from "../parts/strip.js";
import { BettingRow, bettingWords } from "./bettingrow.js";
import { CutSlider } from "./cut.js";
import { betsOf, idOf, isWatching, momentOf, seatsOf, TURN_KEYS, TURN_NAMES, UNREFUSED } from "./stages.js";
import { moved } from "./sums.js";

function Clock({ countdown }) {
  if (!countdown) return null;
  return html`
    <svg class="clock" viewBox="0 0 1000 3" preserveAspectRatio="none" aria-hidden="true">
      <rect width=${Math.round(countdown.part * 1000)} height="3" /></svg>`;
}

const LogButton = ({ game }) => html`
  <button type="button" class="button small quiet log-button" onClick=${() => game.ui.change({ drawer: !game.ui.get().drawer })}>
    Round log <span class="key" aria-hidden="true">L</span></button>`;

/** `Your turn: hand 2 of 3, sixteen` and what it is against. */
function turnQuestion({ table, you, facts }) {
  const [number, at] = table.turn;
  const { hands } = table.boxes.find((box) => box.number === number);
  const { total, soft } = hands[at - 1];
  const places = [];
  if (seatsOf(table, you.name).length !== 1) places.push(`box ${number}`);
  if (hands.length > 1) places.push(`hand ${at} of ${hands.length}`);
  const card = table.dealer?.cards?.[0];
  return [
    `Your turn: ${[...places, `${soft ? "soft " : ""}${numberName(total)}`].join(", ")}`,
    card ? `against the ${facts.dealer.toLowerCase()}’s ${rankName(card)}` : "",
  ];
}

const NO_BET = "You have no bet this round.";
const DEALT = new Set(["dealing", "offers", "playing", "dealer"]);

function questionOf(known) {
  const { table, you } = known;
  if (table.stage === "closed") return [table.next.words, lastSum(known)];
  if (you?.asked) return momentOf(known) === "turn" && table.turn ? turnQuestion(known) : [you.asked, ""];
  if (!you?.name) return [table.next.words, "You are watching. Enter a name in the lobby to play."];
  if (isWatching(known)) return [table.next.words, you.excluded ? "" : "You are watching. Sit at a free box, or bet behind."];
  const sitsOut = DEALT.has(table.stage) && !betsOf(table, you.name).length;
  return [table.next.words, sitsOut ? NO_BET : you.done ? "You are done; the others are waited for." : ""];
}

/** What the last round brought, whose lines are still there when the table closes. */
function lastSum({ lines, table, you, facts }) {
  const { mine, own } = moved(lines, table, you?.name);
  return mine.length ? `Last round ${gain(own, facts.currency)}` : "";
}

/** All that a player has had on a box: on its hands, on side bets, as insurance. */
function stakedBy(player, box) {
  const hands = (box.hands ?? []).flatMap((hand) => (hand.stakes ?? []).filter((stake) => stake.player === player).map(stakeOf));
  const beside = (box.bets ?? []).filter((bet) => bet.player === player)
    .flatMap((bet) => [bet.insurance ?? 0, ...(bet.sides ?? []).map((side) => side.stake)]);
  return [...hands, ...beside];
}

function settledQuestion({ table, you, facts, lines }) {
  const { mine, own } = moved(lines, table, you?.name);
  if (!mine.length) return ["The round is settled", NO_BET, ""];
  const title = own > 0 ? `You won ${money(own, facts.currency)}` : own < 0 ? `You lost ${money(-own, facts.currency)}` : "You are even";
  const staked = table.boxes.flatMap((box) => stakedBy(you.name, box)).reduce((sum, stake) => sum + stake, 0);
  const parts = mine.map((row) => `${row.title.replace(/^(Box|Hand)/, (word) => word.toLowerCase())} ${gain(row.net, facts.currency)}`);
  return [title, `on ${money(staked, facts.currency)} staked: ${parts.join(", ")}`, own > 0 ? "win" : own < 0 ? "lose" : "push"];
}

/** How long there is, what happens then, and more time for whoever needs it. */
function Time({ game, known, moment, countdown }) {
  const { table, you } = known;
  const phone = useMedia(PHONE);
  if (moment === "settlement") return countdown && html`Next bets in <b>${countdown.seconds} s</b>`;
  if (moment === "betting") return html`<${Limits} known=${known} />`;
  const late = countdown && you?.late;
  const names = (late?.clauses ?? table.next.clauses ?? []).slice(0, 1);
  return html`
    ${countdown ? html`<b class=${countdown.seconds <= 5 ? "last" : ""}>${countdown.seconds} s</b>` : you?.asked && !phone && "no time limit"}
    ${late && html`<span class="late">, then ${late.words}</span>`} <${Chips} names=${names} /> ${!phone && html`<${MoreTime} game=${game} you=${you} />`}`;
}

const MoreTime = ({ game, you }) => you?.more > 0 && html`
  <button type="button" class="more-time" data-key="m" onClick=${() => game.moreTime()}>More time<span class="aloud">, the clock begins anew</span></button>`;

/** A question that a phone has no room for on one line. */
const LONG = 38;

function Ask({ game, known, moment, countdown }) {
  const [question, against, tone] =
    moment === "settlement" ? settledQuestion(known) : moment === "betting" ? bettingWords(game) : questionOf(known);
  return html`
    <div class="ask">
      <h1 class="${tone ?? ""} ${question.length > LONG ? "long" : ""}"><${Sentence} words=${question} /></h1><span class="against">${against}</span>
      <${LogButton} game=${game} />
      <span class="then"><${Time} game=${game} known=${known} moment=${moment} countdown=${countdown} /></span>
    </div>`;
}

const Limits = ({ known: { table, facts } }) => html`
  <span class="long">Bets ${money(table.minimum, facts.currency)} to ${money(table.maximum, facts.currency)}, in multiples of ${money(facts.multiple, facts.currency)}</span>
  <span class="brief">${money(table.minimum, facts.currency)}–${money(table.maximum, facts.currency)} in ${money(facts.multiple, facts.currency)}</span>
  <${Chips} names=${[...(facts.cites?.limits ?? []), ...(facts.cites?.multiple ?? [])].slice(0, 2)} />`;

/** Where a button stands among its siblings, for the notch of the strip. */
const placeAmong = (at, count) => (at + 0.5) / count;

function StripOf({ game, known, ui, choices, sent }) {
  const { table, lines, you } = known;
  const phone = useMedia(PHONE);
  if (Object.values(sent).some((one) => one.late)) return html`<${Strip} words="Still waiting for the table" />`;
  if (ui.question) {
    return html`
      <${Strip} words=${ui.question.said.words} clauses=${ui.question.said.clauses}>
        <button type="button" class="button small" onClick=${() => game.answerQuestion(true)}>Yes</button>
        <button type="button" class="button small" onClick=${() => game.answerQuestion(false)}>No</button>
      <//>`;
  }
  const choice = choices.find((one) => idOf(one) === (ui.refusal?.what ?? ui.shown));
  const at = choice ? placeAmong(choices.indexOf(choice), choices.length) : null;
  if (ui.refusal) {
    const bold = UNREFUSED.has(ui.refusal.why) ? "" : "Refused:";
    return html`<${Strip} bold=${bold} words=${ui.refusal.said.words} clauses=${ui.refusal.said.clauses} why at=${at} title="Last refusal" />`;
  }
  if (choice?.closed) {
    return html`<${Strip} bold=${`${[choice.label, choice.place].filter(Boolean).join(" ")} is closed:`} words=${lowered(choice.closed.words)} clauses=${choice.closed.clauses} why at=${at}
      title=${`Why not ${choice.label.toLowerCase()}`} />`;
  }
  if (choice && ui.amountOf === idOf(choice)) return html`<${AmountStrip} game=${game} choice=${choice} currency=${known.facts.currency} />`;
  if (choice) return html`<${Strip} words=${choice.words} clauses=${choice.clauses} at=${at} />`;
  if (ui.why) return html`<${Strip} bold=${`${ui.why.name} is closed:`} words=${`${ui.why.words}.`} why />`;
  if (ui.told) return html`<${Strip} words=${ui.told.words} clauses=${ui.told.clauses} why />`;
  if (table.stage === "betting") return html`<${Strip} words=${`A ${money(game.bets.chip, known.facts.currency)} chip is in your hand. Tap a spot to lay it, hold to take one back.${settings.get().keys === "off" ? "" : " Key B lays it on your box."}`} hint />`;
  // A phone has the last line at its foot, and no room beside the question.
  if (phone && you?.late && table.clock) {
    return html`<${Strip} words=${`Then ${you.late.words}.`} clauses=${you.late.clauses}><${MoreTime} game=${game} you=${you} /><//>`;
  }
  const [, beside] = questionOf(known);
  if (phone && beside) return html`<${Strip} words=${capital(beside)} clauses=${table.next.clauses?.slice(0, 1)} />`;
  const last = lines.at(-1);
  return html`<${Strip} words=${toldTo(last, you?.name)} clauses=${last?.clauses} />`;
}

/** A sentence that goes on after a colon. */
const lowered = (words) => (/^[A-Z][a-z ]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words);

function AmountStrip({ game, choice, currency }) {
  const { low, high } = choice.free.amount;
  return html`
    <${Strip} words=${`${choice.label}: ${money(low, currency)} to ${money(high ?? low, currency)}`} clauses=${choice.clauses}>
      <button type="button" class="button small" aria-label="Less" onClick=${() => game.step(choice, -1)}>−</button>
      <b>${money(game.amount(choice), currency)}</b>
      <button type="button" class="button small" aria-label="More" onClick=${() => game.step(choice, 1)}>+</button>
    <//>`;
}

const isFree = (choice) => !choice.closed && choice.free?.amount && choice.free.amount.low < (choice.free.amount.high ?? Infinity);
const isSent = (sent, key) => Object.values(sent).some((one) => one.what === key);

/** The line on a button, from what lies there: what stays, what it adds, how many hands there will be. */
function lineOf(choice, { table, facts, you }, brief, amount) {
  const { box, hand = 1, type } = choice.command;
  const hands = table.boxes.find((one) => one.number === box)?.hands ?? [];
  const stake = hands[hand - 1]?.stakes?.find((one) => one.player === you.name);
  const added = `+${money(amount ?? choice.price ?? 0, facts.currency)}`;
  if (type === "Stand" && hands[hand - 1]) return `keep ${hands[hand - 1].total}`;
  if (type === "Double" && amount < stake?.original) return `${added} · ${money(stake.original + amount, facts.currency)} in all`;
  if (type === "Double") return brief ? `${added}, one card` : `${added} · ${ONE_CARD}`;
  if (type === "Split" && hands.length) return brief ? `${added}, ${hands.length + 1} hands` : `${added} · makes ${numberName(hands.length + 1)} hands`;
  return undefined;
}

function Choice({ game, choice, known, ui, sent }) {
  const { currency } = known.facts;
  const phone = useMedia(PHONE);
  const shown = isFree(choice) ? { ...choice, price: game.amount(choice) } : choice;
  const action = (line) => html`
    <${Action} choice=${shown} game=${game} facts=${known.facts} line=${line} sent=${isSent(sent, idOf(choice))} shaken=${ui.shaken === idOf(choice)} />`;
  if (!isFree(choice)) return action(lineOf(choice, known, phone));
  if (choice.key === "i") {
    return html`
      <div class="stepper"><button type="button" class="less" aria-label="Less insurance" onClick=${() => game.step(choice, -1)}>−</button>
        ${action(money(game.amount(choice), currency))}
        <button type="button" class="more" aria-label="More insurance" onClick=${() => game.step(choice, 1)}>+</button></div>`;
  }
  const amount = game.amount(choice);
  return html`
    <div class="with-part">${action(lineOf(choice, known, true, amount))}
      <button type="button" class="part" aria-label=${`${choice.label} for another amount`}
        onClick=${() => { game.show(choice); game.ui.change({ amountOf: ui.amountOf === idOf(choice) ? "" : idOf(choice), shown: idOf(choice) }); }}>±</button></div>`;
}

/** A place of the bar whose action the table does not list now: it stays, closed. */
const notOffered = (key) => ({ key, label: TURN_NAMES[key], words: "", command: {}, closed: { words: "It is not among the choices of this moment.", clauses: [] } });

function inPlaces(choices) {
  const byKey = Object.fromEntries(choices.map((choice) => [choice.key, choice]));
  const others = choices.filter((choice) => !TURN_KEYS.includes(choice.key));
  return [...TURN_KEYS.map((key) => byKey[key] ?? notOffered(key)), ...others];
}

/** What would be laid again: the sum of each wager, or of all where there are many. */
function againWords(bets, table, currency) {
  const wagers = bets.flatMap((bet) => [{ stake: bet.stake }, ...(bet.sides ?? [])]);
  const words = wagers.map(({ stake, name }) => `${money(stake, currency)}${name ? ` ${sideTitle(name, table)}` : ""}`);
  return wagers.length < 3 ? words.join(" and ") : `${money(wagers.reduce((sum, { stake }) => sum + stake, 0), currency)} in all`;
}

function Settlement({ game, known, sent, lost }) {
  const { table, you, facts } = known;
  const [box] = seatsOf(table, you?.name);
  const bets = table.boxes.flatMap((one) => (one.bets ?? []).filter((bet) => bet.player === you?.name));
  const ui = useStore(game.ui);
  const bar = { game, why: lost };
  return html`
    ${bets.length > 0 && html`<${PlainAction} ...${bar} name="Repeat last" line=${againWords(bets, table, facts.currency)} shortcut="R" sent=${ui.repeats} onPress=${() => repeatNext(game)} />`}
    <${PlainAction} game=${game} name="Step through" line="this round, card by card" shortcut="T" onPress=${() => stepThrough(game)} />
    ${you?.name && html`<${PlainAction} ...${bar} name="Dispute" line="ask for a ruling" clauses=${facts.cites?.dispute} onPress=${() => game.ui.change({ sheet: "dispute" })} />`}
    ${box && html`<${PlainAction} ...${bar} name=${`Leave box ${box.number}`} line="your chips stay yours" sent=${isSent(sent, "leave")}
      onPress=${() => game.ask("leave", { type: "Leave", box: box.number })} />`}
    ${you?.name && !isWatching(known) && html`<${PlainAction} ...${bar} name="Next bets" line=${you.done ? "waiting for the others" : "go on"} shortcut="N" sent=${isSent(sent, "done")} onPress=${() => game.done()} />`}`;
}

/** A closed table has nothing to do but to be looked at. */
const Closed = ({ game, known: { you, facts }, lost }) => html`
  <${PlainAction} game=${game} name="Step through" line="the last round, card by card" shortcut="T" onPress=${() => stepThrough(game)} />
  ${you?.name && html`<${PlainAction} game=${game} why=${lost} name="Dispute" line="ask for a ruling" clauses=${facts.cites?.dispute} onPress=${() => game.ui.change({ sheet: "dispute" })} />`}`;

export const stepThrough = (game) => location.assign(`/history/${game.id}/${game.known.table.round}`);

function repeatNext(game) {
  game.ui.change({ repeats: true });
  game.done();
}

export function ActionBar({ game, known, lost }) {
  const ui = useStore(game.ui);
  const sent = useStore(game.link.sent);
  const hand = useStore(game.bets.hand);
  const countdown = useCountdown(known.table.clock, known.skew);
  const moment = momentOf(known);
  const closedByLoss = lost && { words: lost, clauses: [] };
  const given = (known.you?.choices ?? []).map((choice) => (closedByLoss ? { ...choice, closed: closedByLoss } : choice));
  const choices = moment === "turn" ? inPlaces(given) : given;
  const slider = choices.find((choice) => choice.free?.at);
  useEffect(() => {
    if (!ui.shaken) return undefined;
    const timer = setTimeout(() => game.ui.change({ shaken: "" }), 200);
    return () => clearTimeout(timer);
  }, [ui.shaken]);
  const kind = moment === "turn" || moment === "waiting" ? "turn" : { 2: "two", 3: "three", 4: "four" }[choices.length] ?? "";
  return html`
    <section class="action-bar" id="actions" aria-label="Your actions" tabindex="-1">
      ${moment !== "betting" && html`<${Clock} countdown=${countdown} />`}
      <${Ask} game=${game} known=${known} moment=${moment} countdown=${countdown} />
      <${StripOf} game=${game} known=${known} ui=${ui} choices=${choices} sent=${sent} />
      ${moment === "betting"
        ? html`<${BettingRow} game=${game} known=${known} hand=${hand} lost=${lost} />`
        : html`
          <div class="actions ${kind}" onKeyDown=${(event) => arrowsMove(event, "button")}>
            ${moment === "settlement"
              ? html`<${Settlement} game=${game} known=${known} sent=${sent} lost=${lost} />`
              : moment === "closed"
                ? html`<${Closed} game=${game} known=${known} lost=${lost} />`
              : moment === "waiting"
                ? TURN_KEYS.map((key) => html`<${QuietAction} key=${key} name=${TURN_NAMES[key]} />`)
                : [slider && html`<${CutSlider} key="slider" game=${game} choice=${slider} />`, ...choices.map((choice) => html`<${Choice} key=${idOf(choice)} game=${game} choice=${choice} known=${known} ui=${ui} sent=${sent} />`)]}
          </div>`}
      <${LogHandle} game=${game} known=${known} />
    </section>`;
}

const LogHandle = ({ game, known }) => html`
  <button type="button" class="log-handle" onClick=${() => game.ui.change({ drawer: true })}>
    ${known.lines.length > 0 && html`<span class="last">Last: <${Sentence} words=${toldTo(known.lines.at(-1), known.you?.name)} /></span>`}<span class="open">Round log</span></button>`;
