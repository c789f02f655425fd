// The rulebooks as readable pages: every clause with its reading, how it is obeyed and which tests hold it.
import { html, render, useEffect, useState } from "../kit/html.js";
import { get, loadMe, me } from "../kit/http.js";
import { useStore } from "../kit/store.js";
import { Book } from "../parts/clause.js";
import { SettingsSheet } from "../parts/settings.js";
import { Home, Pages, Tools } from "../parts/topbar.js";
import { Comparison } from "./compare.js";
import { Rulebook } from "./book.js";
import { Shelf } from "./shelf.js";

const book = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const other = new URLSearchParams(location.search).get("with");

function useRules() {
  const [known, setKnown] = useState({});
  useEffect(() => {
    const fail = (problem) => setKnown((old) => ({ ...old, problem: problem.words ?? String(problem) }));
    const keep = (name) => (answer) => setKnown((old) => ({ ...old, [name]: answer }));
    get("/api/rules").then(({ rulebooks }) => keep("shelf")(rulebooks), fail);
    if (book) get(`/api/rules/${encodeURIComponent(book)}`).then(keep("law"), fail);
    if (book && other) get(`/api/rules/${encodeURIComponent(book)}/diff/${encodeURIComponent(other)}`).then(keep("diff"), fail);
  }, []);
  return known;
}

function RulesPage() {
  const { shelf = [], law, diff, problem } = useRules();
  const [sheet, setSheet] = useState("");
  useEffect(() => {
    if (law) document.title = `${law.title} · Croupier`;
  }, [law]);
  const second = shelf.find((one) => one.id === other);
  let content = html`<p class="quiet-text">One moment.</p>`;
  if (problem) content = html`<p class="sentence-of-error" role="alert">${problem}</p>`;
  else if (!book) content = html`<${Shelf} shelf=${shelf} />`;
  else if (other && diff && law) content = html`<${Comparison} first=${law} second=${second} diff=${diff} />`;
  else if (!other && law) content = html`<${Rulebook} law=${law} shelf=${shelf} />`;
  return html`
    <${Book.Provider} value=${book}>
      <a class="skip" href="#clauses">To the clauses</a>
      <header class="topbar"><${Home} /><${Pages} current="Rules" table=${useStore(me)?.at?.[0]} /><span class="push-right"></span>
        <${Tools} onSettings=${() => setSheet("settings")} /></header>
      <main class="rules-page" aria-label="Rules">${content}</main>
      ${sheet && html`<${SettingsSheet} onClose=${() => setSheet("")} />`}
    <//>`;
}

await loadMe().catch(() => null);
render(html`<${RulesPage} />`, document.getElementById("app"));
