// The lobby: open tables, a table of one's own in one press, the law they run on.
import { html, render, useEffect, useState } from "../kit/html.js";
import { get, loadMe, me } from "../kit/http.js";
import { useStore } from "../kit/store.js";
import { release } from "../kit/version.js";
import { SettingsSheet } from "../parts/settings.js";
import { Connection, Home, Pages, Purse, Tools } from "../parts/topbar.js";
import { AccountSheet } from "./account.js";
import { PlayAlone } from "./alone.js";
import { Documents } from "./documents.js";
import { FirstSheet, isFirstLink } from "./first.js";
import { enterFirst, NameSheet } from "./name.js";
import { OpenSheet } from "./open.js";
import { RunTable } from "./run.js";
import { Tables } from "./tables.js";

const REFRESH = 3000;

function useTables() {
  const [answer, setAnswer] = useState({ tables: null, clocks: null, problem: "" });
  useEffect(() => {
    const load = () =>
      get("/api/tables").then(({ tables, clocks }) => setAnswer({ tables, clocks, problem: "" }), (problem) => setAnswer((old) => ({ ...old, problem: problem.words })));
    load();
    const timer = setInterval(() => document.hidden || load(), REFRESH);
    return () => clearInterval(timer);
  }, []);
  return answer;
}

function Lobby() {
  const who = useStore(me);
  const { tables, clocks, problem } = useTables();
  const [books, setBooks] = useState([]);
  const [sheet, setSheet] = useState(isFirstLink() ? "first" : "");
  const [entering, setEntering] = useState(null);
  useEffect(() => {
    get("/api/rules").then(({ rulebooks }) => setBooks(rulebooks), () => null);
  }, []);
  const withName = (then) => enterFirst(who, then, setEntering);
  return html`
    <div class="lobby-page">
      <a class="skip" href="#alone">Play alone</a>
      <a class="skip" href="#tables">To the tables</a>
      <header class="topbar"><${Home} /><${Pages} current="Play" table=${who?.at?.[0]} />
        <span class="push-right"></span>
        <${Connection} state=${problem ? "lost" : "live"} />
        ${who && html`<button type="button" class="button small quiet" onClick=${() => setSheet("account")}>${who.name ?? "Log in"}</button>`}
        ${who?.role === "player" && html`<${Purse} purse=${who.purse + who.at_tables} currency="$" playMoney=${who.play_money} />`}
        <${Tools} onSettings=${() => setSheet("settings")} /></header>
      <main class="lobby" aria-label="Lobby">
        <div class="lobby-main">
          <${Tables} tables=${tables} books=${books} problem=${problem} who=${who} withName=${withName} onOpen=${() => withName(() => setSheet("open"))} />
          <${Documents} books=${books} />
        </div>
        <aside class="lobby-side" aria-label="Play alone">
          <${PlayAlone} books=${books} withName=${withName} />
          <${RunTable} who=${who} books=${books} withName=${withName} />
        </aside>
      </main>
      <footer class="lobby-foot">${release}</footer>
      ${entering && html`<${NameSheet} then=${entering} onClose=${() => setEntering(null)} />`}
      ${sheet === "account" && html`<${AccountSheet} who=${who} onClose=${() => setSheet("")} />`}
      ${sheet === "first" && html`<${FirstSheet} onClose=${() => setSheet("")} />`}
      ${sheet === "open" && clocks && books.length > 0 && html`<${OpenSheet} books=${books} usual=${clocks} who=${who} onClose=${() => setSheet("")} />`}
      ${sheet === "settings" && html`<${SettingsSheet} onClose=${() => setSheet("")} />`}
    </div>`;
}

loadMe().catch(() => null);
render(html`<${Lobby} />`, document.getElementById("app"));
