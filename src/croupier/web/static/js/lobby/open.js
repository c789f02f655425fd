// Open a table for several people, dealt by the house: its rules, limits and clocks.
import { html, useEffect, useState } from "../kit/html.js";
import { post } from "../kit/http.js";
import { laws, loadLaw } from "../kit/laws.js";
import { useStore } from "../kit/store.js";
import { Book } from "../parts/clause.js";
import { Sheet } from "../parts/sheet.js";
import { Field, Select, Text } from "./field.js";

const SECONDS = [5, 10, 15, 20, 30, 45, 60, 90, 120];
const CLOCKS = [["betting", "Bets"], ["offers", "Offers"], ["decision", "Decisions"], ["results", "Results"]];
const MORE = [[0, "never"], [1, "once"], [3, "three times"], [10, "ten times"]];
const USUAL_MORE = 10;
const LIMITS = [["minimum", "Minimum"], ["maximum", "Maximum"], ["multiple", "In multiples of"], ["smallest_chip", "Smallest chip"]];
const isNumbered = (clause) => !clause.includes("Dict"); // words of a dictionary have no room beside a label
const NO_LIMIT = "none";

/** The seconds that may be chosen, with those that are usual here among them. */
const secondsWith = (usual) => [
  ...[...new Set([...SECONDS, usual])].filter(Number.isFinite).sort((a, b) => a - b).map((count) => [count, `${count} s`]), [NO_LIMIT, "no limit"],
];
const inForm = (seconds) => seconds ?? NO_LIMIT;
const fromForm = (text) => (text === NO_LIMIT ? null : Number(text));

function Limits({ law, values, onValue, problem }) {
  const settingOf = (name) => law?.settings.find(({ setting }) => setting === name);
  return html`
    <fieldset class="fields"><legend>Bets on a box, in ${law?.words.currency ?? "$"}</legend>${LIMITS.map(([name, label]) => html`
      <${Field} key=${name} name=${name} label=${label} clauses=${settingOf(name)?.clauses.filter(isNumbered).slice(0, 1)} problem=${problem}>${(field) => html`
        <${Text} ...${field} inputmode="decimal" value=${values[name] ?? settingOf(name)?.value ?? ""} onValue=${(value) => onValue(name, value.trim())} />`}<//>`)}
    </fieldset>`;
}

function Clocks({ usual, values, onValue, problem }) {
  return html`
    <fieldset class="fields"><legend>How long the table waits</legend>${CLOCKS.map(([name, label]) => html`
      <${Field} key=${name} name=${name} label=${label} problem=${problem}>${(field) => html`
        <${Select} ...${field} value=${inForm(values[name])} onValue=${(value) => onValue(name, fromForm(value))} options=${secondsWith(usual[name])} />`}<//>`)}
      <${Field} name="more" label="More time" problem=${problem}>${(field) => html`
        <${Select} ...${field} value=${values.more ?? USUAL_MORE} onValue=${(value) => onValue("more", Number(value))} options=${MORE} />`}<//>
    </fieldset>`;
}

/** The readings that the rules leave open. A choice goes by its place: its value may be of any kind. */
function Options({ options, values, onValue, problem }) {
  return html`
    <details class="left-to-house" open=${options.some(({ option }) => option === problem?.field)}><summary>What the rules leave to the house</summary>
      <div class="fields broad">${options.map(({ option, name, clause, choices }) => html`
        <${Field} key=${option} name=${option} label=${name} clauses=${clause ? [clause] : []} problem=${problem}>${(field) => html`
          <${Select} ...${field} value=${choices.findIndex(({ value }) => value === (values[option] ?? choices[0].value))}
            options=${choices.map(({ words }, at) => [at, words])} onValue=${(at) => onValue(option, choices[at].value)} />`}<//>`)}</div></details>`;
}

/** What is wrong, and of which field; one that no field here is about stands above the button. */
const Elsewhere = ({ problem }) => problem && !document.getElementById(`field-${problem.field}`) && html`
  <p class="sentence-of-error" role="alert">${problem.words}</p>`;

export function OpenSheet({ books, usual, who, onClose }) {
  const [rulebook, setRulebook] = useState(books[0]?.id);
  const [name, setName] = useState("");
  const [sides, setSides] = useState(false);
  const [settings, setSettings] = useState({}); // only what is changed: the rest is the house's
  const [clocks, setClocks] = useState(usual);
  const [problem, setProblem] = useState(null);
  const law = useStore(laws)[rulebook];
  const book = books.find(({ id }) => id === rulebook);
  useEffect(() => { loadLaw(rulebook).catch(setProblem); }, [rulebook]);
  useEffect(() => setProblem(null), [rulebook, settings]);
  const set = (one, value) => setSettings((so) => ({ ...so, [one]: value }));
  const play = (by) => {
    setRulebook(by);
    setSettings({});
  };
  const open = async (event) => {
    event.preventDefault();
    const wanted = { rulebook, kind: "virtual", side_bets: sides, settings, clocks, name: name.trim() };
    try {
      const { id } = await post("/api/tables", wanted);
      location.assign(`/${who.role === "player" ? "table" : "console"}/${id}`);
    } catch (error) {
      setProblem(error);
    }
  };
  return html`
    <${Book.Provider} value=${rulebook}><${Sheet} title="A table for several" onClose=${onClose} wide>
      <form class="stacked" onSubmit=${open} novalidate>
        <p class="quiet-text">Dealt by the house, for whoever comes. Rules and clocks stay as they are once it is open.</p>
        <div class="fields broad">
          <${Field} name="rulebook" label="Rules" problem=${problem}>${(field) => html`
            <${Select} ...${field} autofocus value=${rulebook} onValue=${play} options=${books.map(({ id, title }) => [id, title])} />`}<//>
          <${Field} name="name" label="Name of the table, if any" problem=${problem}>${(field) => html`
            <${Text} ...${field} value=${name} onValue=${setName} maxlength="60" />`}<//>
          <${Field} name="decks" label="Decks" clauses=${law?.settings.find(({ setting }) => setting === "decks").clauses.slice(0, 1)} problem=${problem}>${(field) => html`
            <${Select} ...${field} value=${settings.decks ?? book.usual_decks} onValue=${(value) => set("decks", Number(value))} options=${book.decks.map((count) => [count, count])} />`}<//>
          <label class="check"><input type="checkbox" checked=${sides} onChange=${(event) => setSides(event.target.checked)} /> Side bets</label>
        </div>
        <${Limits} law=${law} values=${settings} onValue=${set} problem=${problem} />
        <${Clocks} usual=${usual} values=${clocks} onValue=${(one, value) => setClocks((so) => ({ ...so, [one]: value }))} problem=${problem} />
        ${law?.options.length > 0 && html`<${Options} options=${law.options} values=${settings} onValue=${set} problem=${problem} />`}
        <${Elsewhere} problem=${problem} />
        <button class="button primary" type="submit">Open the table</button>
      </form><//><//>`;
}
