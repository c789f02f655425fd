// One rulebook: chapters, search, its clauses, its options and settings.
import { dayName } from "../kit/day.js";
import { html, useEffect, useState } from "../kit/html.js";
import { ClauseSign, written } from "../parts/clause.js";
import { Clause } from "./clause.js";

const OBEYED = ["enforced", "performed", "configured", "supervised", "outside"];
const chapterOf = (clause) => clause.number.match(/^[A-Za-z]+|^\d+/)?.[0] ?? clause.number;
const found = (clause, words) => {
  const text = [clause.short, written(clause.short), clause.says, clause.reading, clause.obeyed, clause.binds, ...clause.provisions.map((one) => one.words)].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
};

function Chapters({ clauses }) {
  const chapters = [...new Set(clauses.map(chapterOf))];
  const first = (chapter) => clauses.find((clause) => chapterOf(clause) === chapter).short;
  return html`<nav class="chapters" aria-label="Chapters">${chapters.map((chapter) => html`
    <a key=${chapter} href="#${encodeURIComponent(first(chapter))}">${chapter}</a>`)}</nav>`;
}

const Options = ({ options }) => html`
  <section class="side-part"><h2>Options</h2>
    ${options.length === 0 && html`<p>The document leaves none.</p>`}
    ${options.map((option) => html`
      <div key=${option.option} class="option"><b>${option.name}</b>${option.clause && html` <${ClauseSign} name=${option.clause} />`}
        <ul>${option.choices.map((choice) => html`<li>${choice.words}</li>`)}</ul></div>`)}</section>`;

const shown = (value) => (value === null ? "none" : typeof value === "object" ? Object.keys(value).join(", ") : String(value));

const Settings = ({ settings }) => html`
  <section class="side-part"><h2>What a house may state</h2>
    ${settings.map((one) => html`
      <div key=${one.setting} class="option"><b>${one.setting.replaceAll("_", " ")}</b>${(one.clauses ?? []).slice(0, 2).map((name) => html` <${ClauseSign} name=${name} />`)}
        <p>${one.permitted}${one.value !== undefined && html`; the demonstration house: ${shown(one.value)}`}</p></div>`)}</section>`;

function CompareWith({ law, shelf }) {
  const go = (event) => event.target.value && location.assign(`/rules/${law.id}?with=${event.target.value}`);
  return html`
    <label class="compare-with"><span class="label">Compare with</span>
      <select class="field" onChange=${go}><option value="">no other rules</option>
        ${shelf.filter((one) => one.id !== law.id).map((one) => html`<option value=${one.id}>${one.title}</option>`)}</select></label>`;
}

export function Rulebook({ law, shelf }) {
  const [text, setText] = useState("");
  const [obeyed, setObeyed] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const clauses = law.clauses.filter((clause) => found(clause, words) && (!obeyed || clause.obeyed === obeyed));
  useEffect(() => {
    const open = () => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
    open();
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, []);
  return html`
    <div class="rules-head">
      <div><h1 class="page-title">${law.title}</h1>
        <p class="quiet-text">${law.instruments.map((made) => `${made.title}, ${dayName(made.day)}`).join(" · ")}</p></div>
      <${CompareWith} law=${law} shelf=${shelf} />
    </div>
    <div class="rules-body">
      <${Chapters} clauses=${law.clauses} />
      <section class="clauses" id="clauses" tabindex="-1" aria-label="Clauses">
        <div class="rules-search">
          <label><span class="unseen">Search the clauses</span>
            <input class="field" type="search" placeholder="Search: a number, a word" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
          <label><span class="unseen">How obeyed</span>
            <select class="field" value=${obeyed} onChange=${(event) => setObeyed(event.target.value)}><option value="">obeyed in any way</option>
              ${OBEYED.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
          <span class="quiet-text" role="status">${clauses.length} of ${law.clauses.length} clauses</span>
        </div>
        ${clauses.map((clause) => html`<${Clause} key=${clause.short} clause=${clause} />`)}
        ${clauses.length === 0 && html`<p class="quiet-text">No clause says that.</p>`}
      </section>
      <aside class="rules-side" aria-label="Options and settings"><${Options} options=${law.options} /><${Settings} settings=${law.settings} /></aside>
    </div>`;
}
