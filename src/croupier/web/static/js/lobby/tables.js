// The open tables, one row each, own ones first.
import { html, useState } from "../kit/html.js";
import { money, percent } from "../kit/money.js";
import { capital, listOf, numberName } from "../kit/words.js";

/** Seven seats on an arc, box 1 at the right, as the players see them. */
function Seats({ seats, you }) {
  const taken = seats.filter(Boolean).length;
  const place = (at) => {
    const part = seats.length > 1 ? at / (seats.length - 1) : 0.5;
    return { x: 80 - part * 68, y: 8 + 20 * Math.sin(part * Math.PI) };
  };
  return html`
    <span class="seats"><svg viewBox="0 0 92 36" role="img" aria-label=${`${taken} of ${seats.length} seats taken`}>
      <rect class="dealer-bar" x="38" y="2" width="16" height="4" rx="2" />
      ${seats.map((seat, at) => html`<circle key=${at} class=${you.includes(at + 1) ? "you" : seat ? "taken" : ""} cx=${place(at).x} cy=${place(at).y} r="5" />`)}
    </svg><span aria-hidden="true">${seats.length - taken} free</span></span>`;
}

/** Limits, decks, side bets: what sets one table apart from another. */
function factsOf(table) {
  if (!table.maximum) return [];
  const sum = (cents) => money(cents, table.currency);
  const sides = table.sides ?? [];
  const beside = sides.length > 1 ? [`${numberName(sides.length)} side bets`] : sides;
  return [`${sum(table.minimum)}–${sum(table.maximum)}${table.multiple > 1 ? ` in ${sum(table.multiple)}` : ""}`, `${table.decks} decks`, ...beside];
}

/** The edge in hundredths of a wager; where it is being worked out its place is kept. */
const Edge = ({ table }) => html`
  <span class="edge">${table.maximum > 0 && html`<b>${table.edge === null ? "…" : percent(table.edge, 3)}</b>
    <small>${table.edge === null ? "being solved" : "house edge"}</small>`}</span>`;

/** Who holds an office does not play: their way to a table is its console. */
function verbOf(you, free, who) {
  if (who?.role && who.role !== "player") return "Console";
  return you.length ? "Return" : free ? "Sit" : "Watch";
}

function Row({ table, who, withName }) {
  const seats = table.seats ?? [];
  const you = table.you ?? [];
  const free = seats.some((seat) => !seat);
  const verb = verbOf(you, free, who);
  const name = table.alone ? "Your own table" : table.name;
  const go = () => location.assign(`/${verb === "Console" ? "console" : "table"}/${table.id}`);
  return html`
    <li class="table-row ${you.length ? "own" : ""}">
      <${Seats} seats=${seats} you=${you} />
      <span class="what"><b>${name} · ${table.title}</b>
        <span>${factsOf(table).join(" · ")}</span></span>
      <span class="stage-words"><span>${table.words}</span><small>${you.length ? `you are seated at box${you.length > 1 ? "es" : ""} ${listOf(you)}` : table.round ? `round ${table.round}` : ""}</small></span>
      <${Edge} table=${table} />
      <button type="button" class="button ${you.length ? "primary" : ""}" aria-label=${`${verb}, ${table.name}`}
        onClick=${() => (verb === "Watch" ? go() : withName(go))}>${verb}</button>
    </li>`;
}

/** A rulebook in a word and its year. */
const pillName = ({ id, title, game }) => (id ? `${id.startsWith("uk") ? "UK" : capital(game)} ${id.match(/\d{4}/)?.[0] ?? ""}` : title);

export function Tables({ tables, books, problem, who, withName, onOpen }) {
  const [book, setBook] = useState("");
  const [freeOnly, setFreeOnly] = useState(false);
  const shown = (tables ?? []).filter((table) => (!book || table.book === book) && (!freeOnly || table.seats.some((seat) => !seat)));
  return html`
    <section id="tables" tabindex="-1" aria-label="Open tables">
      <div class="title-row"><h1 class="page-title">Open tables</h1>
        <button type="button" class="button small push-right" onClick=${onOpen}>Open a table</button></div>
      <div class="filters" role="radiogroup" aria-label="Show tables of">
        ${[{ id: "", title: "All rules" }, ...books].map((one) => html`
          <label class="pill" key=${one.id}><input type="radio" name="book" checked=${book === one.id} onChange=${() => setBook(one.id)} /><span>${pillName(one)}</span></label>`)}
        <label class="check push-right"><input type="checkbox" checked=${freeOnly} onChange=${(event) => setFreeOnly(event.target.checked)} /> Free seats only</label>
      </div>
      ${problem && html`<p class="sentence-of-error" role="alert">${problem}</p>`}
      ${tables && !shown.length && html`<div class="empty"><h2>${tables.length ? "No such table is open" : "No table is open"}</h2>
        <p>${tables.length ? "There are others: look at all rules." : "Play alone now, or open one: for several people, or with real cards."}</p></div>`}
      <ul class="table-rows" hidden=${!shown.length}>${shown.map((table) => html`<${Row} key=${table.id} table=${table} who=${who} withName=${withName} />`)}</ul>
    </section>`;
}
