// The keypad of 52 keys, and what stands in its place where a decision, an amount or a number is due.
import { html, useRef, useState } from "../kit/html.js";
import { arrowsMove } from "../kit/keys.js";
import { PHONE, useMedia } from "../kit/media.js";
import { useStore } from "../kit/store.js";
import { cardName, rankSign, suitName } from "../kit/words.js";
import { ClauseSign, spokenClauses } from "../parts/clause.js";
import { SPRITE } from "../parts/icon.js";
import { dueOf, wantsBets, wantsNumber } from "./due.js";

export const RANKS = "A23456789TJQK";
const SUITS = "shdc";
export const WAYS = [
  ["dealt", "Falls as dealt"], ["up", "Face up in shoe"], ["error", "Drawn in error"],
  ["burnt", "Burnt in error"], ["overdrawn", "Overdrawn"], ["misplaced", "On wrong hand"],
];
export const DECISIONS = [["h", "Hit"], ["s", "Stand"], ["d", "Double"], ["p", "Split"], ["r", "Surrender"], ["f", "Forfeit"]];

const Suit = ({ suit }) => html`<svg aria-hidden="true"><use href="${SPRITE}#${suit}" /></svg>`;

/** A way says under which clause a card may fall so; the usual one needs none. */
const WayLine = ({ way, facts }) => {
  const [clause] = facts.cites?.[way] ?? [];
  return way === "dealt" ? html`<span>as due</span>` : clause ? html`<${ClauseSign} name=${clause} />` : html`<span>no such rule here</span>`;
};

function Ways({ desk, ui, facts }) {
  const phone = useMedia(PHONE);
  if (phone) {
    return html`<label class="ways-select"><span class="unseen">How the card falls</span>
      <select class="field" value=${ui.way} onChange=${(event) => desk.ui.change({ way: event.target.value })}>
        ${WAYS.map(([way, name]) => html`<option value=${way}>${name}</option>`)}</select></label>`;
  }
  return html`
    <div class="ways" role="radiogroup" aria-label="How the card falls" onKeyDown=${(event) => arrowsMove(event, "button")}>
      ${WAYS.map(([way, name]) => html`
        <button type="button" key=${way} class="way" role="radio" aria-checked=${ui.way === way ? "true" : "false"} onClick=${() => desk.ui.change({ way, misplaced: "" })}>
          <b>${name}</b><${WayLine} way=${way} facts=${facts} /></button>`)}</div>`;
}

/** A closed decision stays in its place with its clause; its reason is said above the table. */
const Decision = ({ desk, letter, name, closed }) => html`
  <button type="button" class="way ${closed ? "closed" : ""}" aria-disabled=${closed ? "true" : null} onClick=${() => desk.decide(letter)}>
    <b>${name}${closed && html`<span class="aloud">, not open. ${closed.words}${spokenClauses(closed.clauses)}</span>`}</b>
    ${closed?.clauses?.[0] ? html`<${ClauseSign} name=${closed.clauses[0]} />` : html`<span class=${closed ? "" : "key"} aria-hidden="true">${closed ? "closed" : letter.toUpperCase()}</span>`}</button>`;

function Decisions({ desk, table }) {
  const [box, hand] = table.turn ?? [];
  const place = hand > 1 ? `${box}.${hand}` : `${box}`;
  return html`
    <div class="ways decisions" role="group" aria-label=${`Decision for box ${place}`}>
      ${DECISIONS.map(([key, name]) => html`<${Decision} key=${key} desk=${desk} letter=${key} name=${name} closed=${desk.closed(key)} />`)}
      <button type="button" class="way" onClick=${() => desk.type(`${place} absent`)}><b>Absent</b></button></div>`;
}

function Key({ card, desk, closed }) {
  const press = () => (closed ? desk.ui.change({ refusal: { words: closed } }) : desk.card(card));
  return html`
    <button type="button" class="card-key suit-${card[1]}" aria-disabled=${closed ? "true" : null} onClick=${press}>
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

function Pad({ desk, facts, closed, gone = [] }) {
  const phone = useMedia(PHONE);
  const ui = useStore(desk.ui);
  const ranks = [...RANKS].filter((rank) => facts.ranks.includes(rank));
  const closedOf = (card) => (gone.includes(card) ? `All ${rankSign(card)}${SIGNS[card[1]]} of this shoe have been seen.` : closed);
  if (!phone) {
    return html`<div class="pad" role="group" aria-label="Cards" style=${{ "--ranks": ranks.length }} onKeyDown=${(event) => walk(event, ranks.length)}>
      ${[...SUITS].map((suit) => ranks.map((rank) => html`<${Key} key=${rank + suit} card=${rank + suit} desk=${desk} closed=${closedOf(rank + suit)} />`))}</div>`;
  }
  const press = (suit) => {
    const why = ui.rank ? closedOf(ui.rank + suit) : "The rank comes first.";
    if (why) desk.ui.change({ refusal: { words: why } });
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

/** An amount on a box while bets are open, or a number of cards for a cut. */
function NumberPad({ desk, table, bets }) {
  const [text, setText] = useState("");
  const [box, setBox] = useState(1);
  const press = (digit) => setText(digit === "←" ? text.slice(0, -1) : text + digit);
  const send = (event) => {
    event.preventDefault();
    if (!text) return;
    desk.type(bets ? `${box} ${text}` : text);
    setText("");
  };
  return html`
    <form class="number-pad" onSubmit=${send}>
      ${bets && html`<div class="ways" role="radiogroup" aria-label="Box">${table.boxes.map((one) => html`
        <button type="button" key=${one.number} class="way" role="radio" aria-checked=${box === one.number ? "true" : "false"} onClick=${() => setBox(one.number)}><b>Box ${one.number}</b><span>${one.seat || "free"}</span></button>`)}</div>`}
      <div class="digits">${DIGITS.map((digit) => html`<button type="button" key=${digit} class="card-key" onClick=${() => press(digit)}>
        ${digit === "←" && html`<span class="aloud">Take a digit back</span>`}<b aria-hidden=${digit === "←" ? "true" : null}>${digit}</b></button>`)}</div>
      <div class="number-line"><label><span class="unseen">${bets ? `Bet on box ${box}` : "Number of cards"}</span>
        <input class="field" inputmode="decimal" placeholder=${bets ? `Bet on box ${box}` : "Number of cards"} value=${text} onInput=${(event) => setText(event.target.value)} /></label>
        <button type="submit" class="button">${bets ? `Bet on box ${box}` : "So many cards"}</button>
        ${bets && html`<button type="button" class="button quiet" onClick=${() => desk.type("same")}>Same bets again</button>`}</div>
    </form>`;
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

const NOBODY_DUE = "Nobody is to decide now.";

/** It keeps its place while nobody is to decide, closed. */
function PlayerAbsent({ desk, known: { table, facts } }) {
  const [box, hand] = table.turn ?? [];
  const press = () => (box ? desk.type(`${box}${hand > 1 ? `.${hand}` : ""} absent`) : desk.refuse({ words: NOBODY_DUE }));
  return html`
    <button type="button" class="button quiet" aria-disabled=${box ? null : "true"} onClick=${press}>
      Player absent${!box && html`<span class="aloud">, not open. ${NOBODY_DUE}</span>`}<${Cited} names=${facts.cites?.absent} /></button>`;
}

/** At a table that the house deals nobody taps cards; what may be typed are a supervisor's lines. */
const NoKeypad = ({ desk }) => html`
  <section class="keypad" aria-label="Keypad">
    <p class="quiet-text">The house deals at this table itself, out of its own shoe. Orders, and lines that are typed, go on record as at any other.</p>
    <div class="pad-foot"><${CommandLine} desk=${desk} /></div></section>`;

export function Keypad({ desk, known }) {
  const { table, facts } = known;
  const ui = useStore(desk.ui);
  const deciding = table.due === "decision";
  const number = wantsNumber(table);
  const bets = wantsBets(table);
  if (facts.kind !== "live") return html`<${NoKeypad} desk=${desk} />`;
  const closed = table.due === "card" || ui.way !== "dealt" ? "" : dueOf(known).words;
  return html`
    <section class="keypad" aria-label="Keypad">
      ${bets || number
        ? html`<${NumberPad} desk=${desk} table=${table} bets=${bets} />`
        : html`${deciding ? html`<${Decisions} desk=${desk} table=${table} />` : html`<${Ways} desk=${desk} ui=${ui} facts=${facts} />`}
            <${Pad} desk=${desk} facts=${facts} closed=${closed} gone=${table.gone} />`}
      <div class="pad-foot">
        <button type="button" class="button" onClick=${() => desk.type("cut")}>Cutting card <span class="key" aria-hidden="true">X</span></button>
        <button type="button" class="button quiet" onClick=${() => desk.ask({ type: "ShoeRunsOut" })}>Shoe is empty<${Cited} names=${facts.cites?.empty} /></button>
        <${PlayerAbsent} desk=${desk} known=${known} />
        <${CommandLine} desk=${desk} />
      </div>
    </section>`;
}
