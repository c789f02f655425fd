// The keypad of 52 keys, and what stands in its place where a decision, an amount or a number is due.
import { html, useRef, useState } from "../kit/html.js";
import { arrowsMove, once } from "../kit/keys.js";
import { PHONE, useMedia } from "../kit/media.js";
import { useStore } from "../kit/store.js";
import { cardName, numberName, rankSign, suitName } from "../kit/words.js";
import { ClauseSign, spokenClauses } from "../parts/clause.js";
import { SPRITE } from "../parts/icon.js";
import { placeOf } from "./desk.js";
import { wantsBets, wantsNumber } from "./due.js";

export const RANKS = "A23456789TJQK";
const SUITS = "shdc";
export const WAYS = [
  ["dealt", "Falls as dealt"], ["up", "Face up in shoe"], ["error", "Drawn in error"],
  ["burnt", "Burnt in error"], ["overdrawn", "Overdrawn"], ["misplaced", "On wrong hand"],
];
export const DECISIONS = [["h", "Hit"], ["s", "Stand"], ["d", "Double"], ["p", "Split"], ["r", "Surrender"], ["f", "Forfeit"]];

const Suit = ({ suit }) => html`<svg aria-hidden="true"><use href="${SPRITE}#${suit}" /></svg>`;

/** Why something is closed, as it is read behind its name. */
const NotOpen = ({ said }) => html`<span class="aloud">, not open. ${said.words}${spokenClauses(said.clauses)}</span>`;

/** A way says under which clause a card may fall so; the usual one needs none. */
const WayLine = ({ way, facts }) => {
  const [clause] = facts.cites?.[way] ?? [];
  return way === "dealt" ? html`<span>as due</span>` : clause ? html`<${ClauseSign} name=${clause} />` : html`<span>no clause</span>`;
};

/** The ways in which a card can fall. The usual one is never closed: where no card is due, its keys are. */
function Ways({ desk, ui, facts }) {
  const phone = useMedia(PHONE);
  if (phone) {
    return html`<label class="ways-select"><span class="unseen">How the card falls</span>
      <select class="field" value=${ui.way} onChange=${(event) => desk.ui.change({ way: event.target.value })}>
        ${WAYS.map(([way, name]) => html`<option value=${way}>${name}</option>`)}</select></label>`;
  }
  return html`
    <div class="ways" role="radiogroup" aria-label="How the card falls" onKeyDown=${(event) => arrowsMove(event, "button")}>
      ${WAYS.map(([way, name]) => {
        const closed = way !== "dealt" && desk.barred(way);
        return html`
        <button type="button" key=${way} class="way ${closed ? "closed" : ""}" role="radio" aria-checked=${ui.way === way ? "true" : "false"} aria-disabled=${closed ? "true" : null}
          onClick=${() => (way === "dealt" ? desk.ui.change({ way, misplaced: "" }) : desk.way(way))}>
          <b>${name}${closed && html`<${NotOpen} said=${closed} />`}</b><${WayLine} way=${way} facts=${facts} /></button>`;
      })}</div>`;
}

/** A closed decision stays in its place with its clause; its reason is said above the table. */
const Decision = ({ desk, letter, name, closed }) => html`
  <button type="button" class="way ${closed ? "closed" : ""}" aria-disabled=${closed ? "true" : null} onClick=${once(() => desk.decide(letter))}>
    <b>${name}${closed && html`<${NotOpen} said=${closed} />`}</b>
    ${closed?.clauses?.[0] ? html`<${ClauseSign} name=${closed.clauses[0]} />` : html`<span class=${closed ? "" : "key"} aria-hidden="true">${closed ? "closed" : letter.toUpperCase()}</span>`}</button>`;

/** The decisions in their places, under the names that these rules have for them; behind them an answer that has no place of its own. */
function Decisions({ desk, table, choices = [] }) {
  const names = new Map([...DECISIONS, ...choices.map((one) => [one.key, one.label])]);
  return html`
    <div class="ways decisions" role="group" aria-label=${`Decision for box ${placeOf(...(table.turn ?? []))}`}>
      ${[...names].map(([key, name]) => html`<${Decision} key=${key} desk=${desk} letter=${key} name=${name} closed=${desk.closed(key)} />`)}
      <button type="button" class="way" onClick=${once(() => desk.absent())}><b>Absent</b></button></div>`;
}

function Key({ card, desk, closed }) {
  const press = () => (closed ? desk.refuse(closed) : desk.card(card));
  return html`
    <button type="button" class="card-key suit-${card[1]}" aria-disabled=${closed ? "true" : null} onClick=${once(press)}>
      <span class="aloud">${cardName(card)}</span><b aria-hidden="true">${rankSign(card)}</b><${Suit} suit=${card[1]} /></button>`;
}

/** Arrows walk the grid: a row is a suit. */
function walk(event, columns) {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = all.indexOf(event.target.closest("button"));
  event.preventDefault();
  all[(at + step + all.length) % all.length]?.focus();
}

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

function Pad({ desk, facts, table: { gone = [], decks } }) {
  const phone = useMedia(PHONE);
  const ui = useStore(desk.ui);
  const ranks = [...RANKS].filter((rank) => facts.ranks.includes(rank));
  const closedOf = (card) =>
    desk.barred(ui.way) ?? (gone.includes(card) ? { words: `All ${numberName(decks)} ${rankSign(card)}${SIGNS[card[1]]} of this shoe have been seen.` } : null);
  if (!phone) {
    return html`<div class="pad" role="group" aria-label="Cards" style=${{ "--ranks": ranks.length }} onKeyDown=${(event) => walk(event, ranks.length)}>
      ${[...SUITS].map((suit) => ranks.map((rank) => html`<${Key} key=${rank + suit} card=${rank + suit} desk=${desk} closed=${closedOf(rank + suit)} />`))}</div>`;
  }
  const press = (suit) => {
    const why = ui.rank ? closedOf(ui.rank + suit) : { words: "The rank comes first." };
    if (why) desk.refuse(why);
    else desk.card(ui.rank + suit);
  };
  return html`
    <div class="rank-pad" role="group" aria-label="Rank">${ranks.map((rank) => html`
      <button type="button" key=${rank} class="card-key" aria-pressed=${ui.rank === rank ? "true" : "false"} onClick=${() => desk.ui.change({ rank })}><b>${rankSign(rank)}</b></button>`)}</div>
    <div class="suit-pad" role="group" aria-label="Suit">${[...SUITS].map((suit) => html`
      <button type="button" key=${suit} class="card-key suit-${suit}" aria-label=${ui.rank ? cardName(ui.rank + suit) : suitName(suit)} aria-disabled=${ui.rank && !closedOf(ui.rank + suit) ? null : "true"}
        onClick=${() => press(suit)}><${Suit} suit=${suit} /></button>`)}</div>`;
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "0", "←"];

/** A pad for a number: what it is of stands above, the field and who takes it below. */
function NumberPad({ name, button, usual = "", onNumber, above, beside }) {
  const [typed, setTyped] = useState({});
  const text = typed.name === name ? typed.text : usual;
  const setText = (now) => setTyped({ name, text: now });
  const press = (digit) => setText(digit === "←" ? text.slice(0, -1) : text + digit);
  const send = (event) => {
    event.preventDefault();
    if (!text) return;
    onNumber(text);
    setTyped({});
  };
  return html`
    <form class="number-pad" onSubmit=${send}>${above}
      <div class="digits">${DIGITS.map((digit) => html`<button type="button" key=${digit} class="card-key" onClick=${() => press(digit)}>
        ${digit === "←" && html`<span class="aloud">Take a digit back</span>`}<b aria-hidden=${digit === "←" ? "true" : null}>${digit}</b></button>`)}</div>
      <div class="number-line"><label><span class="unseen">${name}</span>
        <input id="number" class="field" inputmode="decimal" placeholder=${name} value=${text} onInput=${(event) => setText(event.target.value)} /></label>
        <button type="submit" class="button">${button}</button>${beside}</div>
    </form>`;
}

/** What a number is of, where there is more than one thing. */
const Place = ({ name, line, chosen, onChoose }) => html`
  <button type="button" class="way" role="radio" aria-checked=${chosen ? "true" : "false"} onClick=${onChoose}><b>${name}</b><span>${line}</span></button>`;

function BetsPad({ desk, table }) {
  const [box, setBox] = useState(1);
  return html`
    <${NumberPad} name=${`Bet on box ${box}`} button=${`Bet on box ${box}`} onNumber=${(text) => desk.type(`${box} ${text}`)}
      above=${html`<div class="ways" role="radiogroup" aria-label="Box">${table.boxes.map((one) => html`
        <${Place} key=${one.number} name=${`Box ${one.number}`} line=${one.seat || "free"} chosen=${box === one.number} onChoose=${() => setBox(one.number)} />`)}</div>`}
      beside=${html`<button type="button" class="button quiet" onClick=${once(() => desk.type("same"))}>Same bets again</button>`} />`;
}

/** A number of cards for a cut; whom it is offered to may decline. */
const CardsPad = ({ desk, table }) => html`
  <${NumberPad} name="Number of cards" button="So many cards" onNumber=${(text) => desk.type(text)}
    beside=${table.on === "players" && html`<button type="button" class="button quiet" onClick=${once(() => desk.type("no"))}>Declined</button>`} />`;

/** What is offered to each player, as they say it aloud. An insurance has an amount, in full unless they say less. */
function OffersPad({ desk, offers }) {
  const [at, setAt] = useState("");
  const idOf = ({ player, command, key }) => `${command.box} ${player} ${key}`;
  const insurable = offers.filter((one) => one.key === "i");
  const chosen = insurable.find((one) => idOf(one) === at) ?? insurable[0];
  const { player, command } = chosen ?? {};
  const line = ({ player: name, command: { box } }) => `${name}, box ${box}`;
  const take = ({ key, player: name, command: { box } }) => desk.type(key === "e" ? `${box} ${name} even-money` : `${box} r`);
  const rows = html`
    <div class="ways offers" role="group" aria-label="Offers">${offers.map((one) => one.key === "i"
      ? html`<${Place} key=${idOf(one)} name=${one.label} line=${line(one)} chosen=${one === chosen} onChoose=${() => setAt(idOf(one))} />`
      : html`<button type="button" key=${idOf(one)} class="way" onClick=${once(() => take(one))}><b>${one.label}</b><span>${line(one)}</span></button>`)}</div>`;
  if (!chosen) return html`<div class="number-pad">${rows}</div>`;
  return html`
    <${NumberPad} name=${`Insurance of ${player} on box ${command.box}`} button=${chosen.label} usual=${String(command.amount / 100)} above=${rows}
      onNumber=${(text) => desk.type(`${command.box} ${player} insure ${text}`)} />`;
}

/** A line is sent once until it is answered, and Enter so soon after that is meant for it, not for what is due. */
const DOUBLE_PRESS = 250;

export function CommandLine({ desk }) {
  const [text, setText] = useState("");
  const sent = useRef({ line: "", answered: -DOUBLE_PRESS });
  const send = async (event) => {
    event.preventDefault();
    const line = text.trim();
    if (line && line === sent.current.line) return;
    if (!line) {
      if (!sent.current.line && performance.now() - sent.current.answered > DOUBLE_PRESS) desk.enterIfDue();
      return;
    }
    sent.current.line = line;
    const reply = await desk.type(line);
    if (sent.current.line === line) sent.current = { line: "", answered: performance.now() };
    if (reply.ok || reply.why === "question") setText((now) => (now.trim() === line ? "" : now));
  };
  const key = (event) => event.key === "Enter" && event.repeat && event.preventDefault();
  return html`
    <form class="command-line" onSubmit=${send}><label><span>or type</span>
      <input id="command-line" aria-label="Command line" autocomplete="off" spellcheck="false" value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${key} /></label></form>`;
}

const Cited = ({ names = [] }) => names.length > 0 && html`<span aria-hidden="true"><${ClauseSign} name=${names[0]} /></span>`;

/** A key beside the cards: it keeps its place where nothing can be recorded by it, closed. */
function FootKey({ desk, name, barred, cites, letter, kind = "quiet", onPress }) {
  const closed = desk.barred(barred);
  return html`
    <button type="button" class="button ${kind}" aria-disabled=${closed ? "true" : null} onClick=${once(onPress)}>
      <span>${name}${closed && html`<${NotOpen} said=${closed} />`}</span>${letter && html` <span class="key" aria-hidden="true">${letter}</span>`}<${Cited} names=${cites} /></button>`;
}

/** Nobody taps cards at a table that the house deals, nor who does not deal at this one: lines may be typed. */
const NoKeypad = ({ desk, words }) => html`
  <section class="keypad" aria-label="Keypad">
    <p class="quiet-text">${words}</p>
    <div class="pad-foot"><${CommandLine} desk=${desk} /></div></section>`;

const OWN_DEALER = "The house deals at this table itself, out of its own shoe. Orders, and lines that are typed, go on record as at any other.";
const NO_DEALER = "The cards are for whoever deals here. Orders, and lines that are typed, go on record in your own office.";

function Pads({ desk, known: { table, facts, you } }) {
  const ui = useStore(desk.ui);
  const offers = table.due === "offers" ? you.choices ?? [] : [];
  if (wantsBets(table)) return html`<${BetsPad} desk=${desk} table=${table} />`;
  if (wantsNumber(table)) return html`<${CardsPad} desk=${desk} table=${table} />`;
  if (offers.length) return html`<${OffersPad} desk=${desk} offers=${offers} />`;
  return html`
    ${table.due === "decision" ? html`<${Decisions} desk=${desk} table=${table} choices=${you.choices} />` : html`<${Ways} desk=${desk} ui=${ui} facts=${facts} />`}
    <${Pad} desk=${desk} facts=${facts} table=${table} />`;
}

export function Keypad({ desk, known }) {
  const { facts, you } = known;
  if (facts.kind !== "live" || !you?.desk) return html`<${NoKeypad} desk=${desk} words=${facts.kind === "live" ? NO_DEALER : OWN_DEALER} />`;
  return html`
    <section class="keypad" aria-label="Keypad">
      <${Pads} desk=${desk} known=${known} />
      <div class="pad-foot">
        <${FootKey} desk=${desk} name="Cutting card" barred="cut" letter="X" kind="" onPress=${() => desk.cuttingCard()} />
        <${FootKey} desk=${desk} name="Shoe is empty" barred="empty" cites=${facts.cites?.empty} onPress=${() => desk.emptyShoe()} />
        <${FootKey} desk=${desk} name="Player absent" barred="absent" cites=${facts.cites?.absent} onPress=${() => desk.absent()} />
        <${CommandLine} desk=${desk} />
      </div>
    </section>`;
}
