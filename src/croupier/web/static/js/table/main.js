// The table page.
import { html, render, useEffect, useLayoutEffect, useState } from "../kit/html.js";
import { post } from "../kit/http.js";
import { PHONE, useMedia } from "../kit/media.js";
import { money } from "../kit/money.js";
import { hurryOnPress } from "../kit/motion.js";
import { useStore } from "../kit/store.js";
import { isOutdated } from "../kit/version.js";
import { capital } from "../kit/words.js";
import { Book } from "../parts/clause.js";
import { PlayFelt } from "../parts/felt.js";
import { Notices } from "../parts/notice.js";
import { KeysSheet, SettingsSheet } from "../parts/settings.js";
import { Connection, Home, Purse, Tools, Won } from "../parts/topbar.js";
import { ActionBar } from "./actionbar.js";
import { BettingFelt, sit } from "./bettingfelt.js";
import { DisputeSheet } from "./dispute.js";
import { Game } from "./game.js";
import { KEYS, tableKeys } from "./keys.js";
import { PhoneBettingFelt, PhonePlayFelt } from "./phone.js";
import { Rail } from "./rail.js";
import { maySit, seatsOf } from "./stages.js";

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");

function useSecondsUntil(moment) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!moment) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [moment]);
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}

const PLAY_CHIPS = 100000;

async function buyChips(game) {
  await post("/api/chips/buy", { amount: PLAY_CHIPS });
  game.link.say({ type: "hello", seen: game.known.n });
}

const finalRounds = (left) => (left > 1 ? `${left} final rounds to come` : left === 1 ? "One final round to come" : "The final round");

function noticesOf(game, known, line, ui, seconds) {
  const { table, bye, you, facts } = known;
  const found = [];
  if (line.state === "lost") {
    found.push({ kind: "warn", title: "Connection lost", words: `Trying again in ${seconds} s. Your bets and hands stay on the table.`, label: "Try now", press: () => game.link.connect() });
  }
  if (line.state === "elsewhere") {
    found.push({ kind: "warn", title: "You play this table in another window", words: "This page stands still.", label: "Play here", press: () => game.link.connect() });
  }
  if (isOutdated(facts)) {
    found.push({ kind: "info", title: "A new version is there", words: "Reload when this round is over.", label: "Reload", press: () => location.reload() });
  }
  const isClosed = table.stage === "closed";
  if (line.state === "closed" && !isClosed) found.push({ kind: "info", title: "This table is closed", words: bye?.words ?? "" });
  if (table.final_rounds !== undefined && table.final_rounds !== null && !isClosed) found.push({ kind: "info", title: finalRounds(table.final_rounds), words: "The table closes after that.", clauses: facts.cites?.final_rounds });
  if (table.last_of_shoe) found.push({ kind: "info", title: "The cutting card is out", words: "The cards are shuffled after this round.", clauses: facts.cites?.last_of_shoe });
  if (ui.back !== null) {
    found.push({ kind: "info", title: "Back", words: ui.back ? `While you were away: ${ui.back}` : "Nothing happened to your hands.", label: "Close", press: () => game.ui.change({ back: null }) });
  }
  if (you?.absent && !you.excluded) found.push({ kind: "warn", title: "You are away", words: "The rules play your hands.", clauses: facts.cites?.absent, ...(facts.kind !== "live" && { label: "I am back", press: () => game.link.connect() }) });
  if (you?.name && you.purse === 0 && you.on_table === 0) {
    found.push({ kind: "info", title: "You have no chips left", words: "You may watch.", label: `Take ${money(PLAY_CHIPS, facts.currency)} of play money`, press: () => buyChips(game) });
  }
  if (you?.excluded) {
    found.unshift({ kind: "refused", title: "You are excluded", words: `${you.excluded.words} You may watch.`, clauses: you.excluded.clauses, label: "Dispute", press: () => game.ui.change({ sheet: "dispute" }) });
  }
  return found;
}

/** Why nothing can be pressed while the line is down. */
const LOST = { lost: "the connection is lost", elsewhere: "this page stands still", closed: "this table is closed" };

function TopBar({ known, line, game }) {
  const { facts, table, you } = known;
  const { currency } = facts;
  const name = facts.alone && you?.roles?.includes("player") ? "Your own table" : facts.name;
  const limits = `${money(table.minimum, currency)}–${money(table.maximum, currency)}`;
  return html`
    <header class="topbar">
      <${Home} /><span class="rule"></span>
      <span class="where"><span class="long-name">${name} · ${facts.title}</span>
        <span class="short-name">${facts.alone ? name : `${name} · ${capital(facts.game)}`}</span><span class="short">${table.round > 0 && `Round ${table.round} · `}${limits}</span></span>
      ${table.round > 0 && html`<span class="fact">Round <b>${table.round}</b></span>`}
      <span class="fact">Bets <b>${limits}</b><span class="multiple"> in ${money(facts.multiple, currency)}</span></span>
      <span class="fact decks"><b>${table.decks}</b> decks</span>
      <span class="push-right"></span>
      <${Connection} state=${line.state} />
      ${you?.name && (facts.kind === "live"
        ? html`<${Won} won=${you.won ?? 0} currency=${currency} />`
        : html`<${Purse} purse=${you.purse} currency=${currency} playMoney=${facts.play_money !== false} />`)}
      <${Tools} onHelp=${() => game.ui.change({ sheet: "keys" })} onSettings=${() => game.ui.change({ sheet: "settings" })} />
    </header>`;
}

function Stage({ game, known, notices }) {
  const phone = useMedia(PHONE);
  const lines = html`<${Notices} notices=${notices} />`;
  const betting = known.table.stage === "betting";
  if (phone && betting) return html`<${PhoneBettingFelt} game=${game} known=${known}>${lines}<//>`;
  const { table, you } = known;
  const onSit = maySit(you) && table.stage !== "closed" && !seatsOf(table, you.name).length ? (box) => sit(game, box) : null;
  if (phone) return html`<${PhonePlayFelt} known=${known} onSit=${onSit} crowded=${notices.length > 0 || (table.stage === "offers" && you?.choices?.length > 4)}>${lines}<//>`;
  if (betting) return html`<${BettingFelt} game=${game} known=${known}>${lines}<//>`;
  return html`<${PlayFelt} table=${known.table} facts=${known.facts} own=${known.you?.name} onSit=${onSit} calm=${known.fresh === 0}>${lines}<//>`;
}

function TablePage({ game }) {
  const known = useStore(game.link.known);
  const line = useStore(game.link.line);
  const ui = useStore(game.ui);
  useStore(game.bets.hand);
  const seconds = useSecondsUntil(line.state === "lost" ? line.retryAt : 0);
  useLayoutEffect(() => tableKeys(game), [game]);
  const { facts, table, you } = known;
  useEffect(() => {
    if (facts) document.title = `${you?.asked && you.choices?.length ? "Your turn · " : ""}${facts.name}`;
  });
  if (!table) return html`<${NoTable} line=${line} />`;
  const lost = LOST[line.state] ?? "";
  return html`
    <${Book.Provider} value=${facts.book}>
      <div class="table-page ${table.stage === "settled" ? "settled" : ""}" data-line=${known.n}>
        <a class="skip" href="#actions">To your actions</a>
        <main aria-label=${facts.name}>
          <${ActionBar} game=${game} known=${known} lost=${lost} />
          <div class="stage"><${Stage} game=${game} known=${known} notices=${noticesOf(game, known, line, ui, seconds)} /></div>
        </main>
        <${Rail} game=${game} known=${known} />
        <${TopBar} known=${known} line=${line} game=${game} />
      </div>
      ${ui.sheet === "settings" && html`<${SettingsSheet} onClose=${() => game.ui.change({ sheet: "" })} />`}
      ${ui.sheet === "keys" && html`<${KeysSheet} keys=${KEYS} onClose=${() => game.ui.change({ sheet: "" })} />`}
      ${ui.sheet === "dispute" && html`<${DisputeSheet} game=${game} onClose=${() => game.ui.change({ sheet: "" })} />`}
    <//>`;
}

const NoTable = ({ line }) => html`
  <main class="nothing"><h1>${line.state === "opening" ? "To the table" : "No such table"}</h1>
    <p>${line.state === "opening" ? "One moment." : "It is not open, or it never was."} <a href="/">Back to the lobby</a></p></main>`;

hurryOnPress();
render(html`<${TablePage} game=${new Game(id)} />`, document.getElementById("app"));
