// Clause chips and clause texts. A press opens the clause under its line, and in the reader.
import { createContext, html, useContext, useState } from "../kit/html.js";
import { laws } from "../kit/laws.js";
import { store, useStore } from "../kit/store.js";

/** Which rulebook the clauses of a page are of, and what the reader shows. */
export const Book = createContext("");
export const reader = store({ title: "", names: [] });

export const read = (title, names) => reader.set({ title, names });

const MOST = 2;
const moreClauses = (count) => `${count} more clause${count === 1 ? "" : "s"}`;

/** What a clause is called: the year of its document where that is not the main one, and its number or its word. */
function partsOf(name, main = "") {
  const [, document, year = "", own] = /^(?:([a-z-]+-(\d{4})) )?(.*)$/s.exec(name);
  return { year: document === main ? "" : year, isNumber: /^\d/.test(own), full: own.replace(/^(Dict|Instrument):\s*/, "$1. ") };
}

export const written = (name) => {
  const { year, isNumber, full } = partsOf(name);
  return [year, isNumber ? `§ ${full}` : full].filter(Boolean).join(" ");
};

/** A clause as it is read aloud; those of regulations are numbered as such. */
function spoken(name, law) {
  const { year, isNumber, full } = partsOf(name);
  const of = year && ` of ${year}`;
  if (!isNumber) return `${full}${of}`;
  return `${law?.instruments?.some((made) => /regulation/i.test(made.title)) ? "regulation" : "Clause"} ${full}${of}`;
}
export const spokenClauses = (names = [], book = "") => (names.length ? ` ${spoken(names[0], laws.get()[book])}` : "");

/** On a chip a number stands without what follows it: `14.2 Table 1: Pontoon` is 14.2, and the text has it whole. */
function Sign({ name }) {
  const { year, isNumber, full } = partsOf(name, useStore(laws)[useContext(Book)]?.main);
  return html`
    ${year && html`<span class="year">${year}</span>`}${isNumber && html`<span class="sign" aria-hidden="true">§</span>`}<span class="clause-name">${isNumber ? full.split(/ (?!Note)/)[0] : full}</span>`;
}

export function ClauseChip({ name, open, onPress, book }) {
  const current = useContext(Book);
  const law = laws.get()[book ?? current];
  return html`
    <button type="button" class="clause" aria-expanded=${open ? "true" : "false"}
      aria-label=${`${spoken(name, law)}, ${open ? "hide" : "show"}`} onClick=${onPress}><${Sign} name=${name} /></button>`;
}

/** For places within a button, where nothing else can be pressed. */
export const ClauseSign = ({ name }) => html`<span class="clause"><${Sign} name=${name} /></span>`;

export function ClauseText({ names, book }) {
  const current = useContext(Book);
  const law = useStore(laws)[book ?? current];
  if (!names.length) return null;
  const first = law?.byName[names[0]];
  return html`
    <div class="clause-text">
      ${names.map((name) => {
        const clause = law?.byName[name];
        return html`
          <p key=${name}>
            <span class="number">${written(name)}</span>${clause ? clause.says : "…"}
            ${clause?.reading && html`<span class="reading">read here as: ${clause.reading}</span>`}
          </p>`;
      })}
      <div class="source">
        <span>${law?.title ?? ""}${first ? ` · ${first.obeyed}` : ""}</span>
        <a href="/rules/${book ?? current}#${encodeURIComponent(names[0])}">Read in the rules</a>
      </div>
    </div>`;
}

/** A sentence's chips, two at the most and the rest behind a number; `Open` is drawn where the caller puts it. */
export function useClauses(names = [], { title = "Clause last opened", inPlace = true, most = MOST } = {}) {
  const [open, setOpen] = useState([]);
  const [all, setAll] = useState(false);
  const shown = all ? names : names.slice(0, most);
  const press = (name) => (event) => {
    event.stopPropagation();
    const isOpen = open.includes(name);
    setOpen(isOpen ? open.filter((other) => other !== name) : [...open, name]);
    if (!isOpen) read(title, [name]);
  };
  const more = names.length > shown.length && html`
    <button type="button" class="more-clauses" aria-label=${`${moreClauses(names.length - shown.length)}, show`}
      onClick=${(event) => { event.stopPropagation(); setAll(true); }}>+${names.length - shown.length}</button>`;
  const chip = (name) => html`<${ClauseChip} name=${name} open=${open.includes(name)} onPress=${press(name)} />`;
  // The number of those that are not shown stays on the line of the last that is.
  const chips = shown.map((name, at) => html` <span class="with-more" key=${name}>${chip(name)}${at === shown.length - 1 && more}</span>`);
  const text = inPlace && open.length ? html`<${ClauseText} names=${open} />` : null;
  return { chips, text, open };
}

export function Chips({ names, title }) {
  return useClauses(names, { title, inPlace: false }).chips;
}
