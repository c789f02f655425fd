// A hand: tag, fan, total, stakes; what it is called aloud; and the row it shrinks to.
import { html } from "../kit/html.js";
import { gain, money, spokenMoney, tone } from "../kit/money.js";
import { cardName, numberName } from "../kit/words.js";
import { Fan, Tokens } from "./card.js";
import { Stack } from "./chip.js";

const TONES = { natural: "good", paid: "good", bust: "bad", surrendered: "neutral", void: "neutral", turn: "turn" };

/** Of a hand whose cards still lie, the net says that it is paid. */
const PAID = / paid$/;

export const stakeOf = (stake) => stake.original + (stake.doubled ?? 0);
export const isSettled = (stake) => stake.net !== undefined && stake.net !== null;

/** Whose stake stands first: yours, else the decider's, else the first that was laid. */
export function inOrder(stakes = [], own, decider) {
  const rank = (stake) => (stake.player === own ? 0 : stake.player === decider ? 1 : 2);
  return [...stakes].sort((a, b) => rank(a) - rank(b));
}

export const Total = ({ hand, net }) => {
  const won = net > 0 && hand.state === "settled" ? "good" : "";
  const words = hand.removed ? hand.words : hand.words.replace(PAID, "");
  return html`<span class="total ${TONES[hand.state] ?? won}">${words}</span>`;
};

const spokenTotal = (hand) => {
  if (/^(soft )?\d+$/.test(hand.words)) return `${hand.soft ? "soft " : ""}${numberName(hand.total)}`;
  return hand.words;
};

export function handLabel(hand, { number, of, own, decider, currency }) {
  const stakes = inOrder(hand.stakes, own);
  const name = of > 1 ? [`Hand ${number} of ${of}`] : [];
  const cards = hand.cards.map(cardName);
  const bets = stakes.map((stake, at) => {
    const sum = spokenMoney(stakeOf(stake), currency);
    const doubled = stake.doubled ? " doubled" : "";
    return at === 0 ? `bet ${sum}${doubled}` : `${stake.player} ${sum}${doubled}`;
  });
  const nets = stakes.filter(isSettled).map((stake) => {
    const how = stake.net > 0 ? "wins" : stake.net < 0 ? "loses" : "gets the stake back";
    return `${stake.player === own ? "you" : stake.player} ${how}${stake.net ? ` ${spokenMoney(stake.net, currency)}` : ""}`;
  });
  const turn = hand.state === "turn" ? [own && decider === own ? "your turn" : "in turn"] : [];
  return [...name, ...cards, spokenTotal(hand), ...bets, ...nets, ...turn].join(", ") + ".";
}

/** One line for the money on a hand: `$30 doubled + $20 p5`. */
export const Amount = ({ stakes, currency }) => html`
  <span class="amount">
    ${stakes.map((stake, at) => html`
      ${at > 0 && " + "}
      ${at === 0 ? html`<b>${money(stakeOf(stake), currency)}</b>` : money(stakeOf(stake), currency)}
      ${stake.doubled ? " doubled" : ""}${at > 0 && stakes.length < 3 ? ` ${stake.player}` : ""}`)}
  </span>`;

export const Net = ({ stakes, currency }) => {
  const [first, ...others] = stakes.filter(isSettled);
  if (!first) return null;
  const words = first.net === 0 ? `= ${money(stakeOf(first), currency)} back` : gain(first.net, currency);
  return html`
    <span class="net ${tone(first.net)}">${words}
      ${others.map((stake) => html`<small class=${tone(stake.net)}>${stake.player} ${gain(stake.net, currency)}</small>`)}
    </span>`;
};

/** What of a stake still lies there: a lost one is taken, of a surrendered one the half. */
const remaining = (stake) => Math.max(0, stakeOf(stake) + Math.min(0, stake.net ?? 0));

/** The chips on a hand: stake, and winnings beside it; a ring that says `taken` for what is lost. */
export function HandStakes({ stakes, chips, currency, ring, removed }) {
  const settled = stakes.some(isSettled);
  const lost = settled && stakes.every((stake) => remaining(stake) === 0);
  if (removed) return html`<span class="spot empty"></span>`;
  if (lost) return html`<span class="spot taken">taken</span>`;
  const stacks = stakes.filter(remaining).map((stake, at) => html`
    <${Stack} amount=${remaining(stake)} chips=${chips} radius=${at === 0 ? 17 : 12} />
    ${stake.net > 0 && html`<${Stack} amount=${stake.net} chips=${chips} radius=${at === 0 ? 17 : 12} />`}`);
  if (ring) return html`<span class="spot"><span class="stacks">${stacks}</span></span>`;
  return html`<div class="stakes">${stacks}</div>`;
}

export function Hand({ hand, number, of, size, ring, own, decider, facts, id }) {
  const stakes = inOrder(hand.stakes, own, decider);
  const inTurn = hand.state === "turn";
  const mine = stakes[0];
  return html`
    <div class="hand ${inTurn ? "in-turn" : ""}" role="group" id=${id}
      aria-label=${handLabel(hand, { number, of, own, decider, currency: facts.currency })}>
      ${of > 1 && html`<span class="tag">Hand ${number}${inTurn && of > 3 ? ` of ${of}` : ""}</span>`}
      ${hand.removed
        ? html`<${Tokens} cards=${hand.cards} removed />`
        : html`<${Fan} cards=${hand.cards} size=${size} dimmed=${hand.state === "void"}>
            ${hand.state === "surrendered" && html`<span class="surrendered" aria-hidden="true">S</span>`}
          <//>`}
      <${Total} hand=${hand} net=${mine?.net} />
      <div class="on-hand">
        <${HandStakes} stakes=${stakes} chips=${facts.chips} currency=${facts.currency} ring=${ring} removed=${hand.removed} />
        ${stakes.some(isSettled)
          ? html`<${Net} stakes=${stakes} currency=${facts.currency} />`
          : html`<${Amount} stakes=${stakes} currency=${facts.currency} />`}
      </div>
    </div>`;
}

/** A hand without room: number, tokens, total; stake or result below. */
export function HandRow({ hand, number, of, own, decider, facts }) {
  const stakes = inOrder(hand.stakes, own, decider);
  const { currency } = facts;
  const below = stakes.some(isSettled)
    ? html`${stakes.filter(isSettled).map((stake) => html`<span class=${tone(stake.net)}>${hand.words.replace(/\d+/g, "").trim()} ${gain(stake.net, currency)} </span>`)}`
    : stakes.map((stake, at) => `${at ? " + " : ""}${money(stakeOf(stake), currency)}${at ? ` ${stake.player}` : ""}${stake.doubled ? " doubled" : ""}`).join("");
  return html`
    <div class="hand-row" role="group" aria-label=${handLabel(hand, { number, of, own, currency })}>
      <span class="number">${number}</span><${Tokens} cards=${hand.cards} /><span class="sum">${hand.total}</span>
      <span class="below">${below}</span>
    </div>`;
}
