// The rail: log of the round, rules, facts of the table; at settlement what moved; the reader at its foot.
import { html, useEffect, useState } from "../kit/html.js";
import { get } from "../kit/http.js";
import { arrowsMove } from "../kit/keys.js";
import { laws } from "../kit/laws.js";
import { PHONE, useMedia } from "../kit/media.js";
import { gain, money, percent, tone } from "../kit/money.js";
import { useStore } from "../kit/store.js";
import { capital } from "../kit/words.js";
import { Chips, ClauseText, reader, useClauses } from "../parts/clause.js";
import { Icon } from "../parts/icon.js";
import { Log } from "../parts/log.js";
import { gathered } from "./gather.js";
import { moved } from "./sums.js";

const IN_PLAY = [["round", "Round"], ["rules", "Rules"], ["table", "Table"]];
const OVERSEE = new Set(["supervisor", "regulator"]); // an operator is a supervisor too
const SETTLED = [["moved", "What moved"], ["round", "Round"], ["rules", "Rules"]];

function MovedRow({ row, currency }) {
  const { chips, text, open } = useClauses(row.clauses, { most: 1 });
  return html`
    <div class="moved-row ${open.length ? "open" : ""}">
      <span>${row.title}</span><b class="net-sum ${tone(row.net)}">${gain(row.net, currency)}</b>
      <span class="how">${row.how}</span><span class="cites">${chips}</span>${text}
    </div>`;
}

function Moved({ known }) {
  const { facts, lines, table, you } = known;
  const { mine, others, own } = moved(lines, table, you?.name);
  const { currency } = facts;
  // On a phone the question above the buttons gives way, so this says it.
  const phone = useMedia(PHONE);
  const title = phone ? { win: "You won", lose: "You lost", push: "You are even" }[tone(own)] : "You";
  return html`
    <div class="panel moved">
      ${mine.length > 0 && html`<h3><span>${title}</span><span class=${tone(own)}>${gain(own, currency)}</span></h3>`}
      ${phone && !mine.length && html`<h3><span>You have no bet this round.</span></h3>`}
      ${mine.map((row, at) => html`<${MovedRow} key=${at} row=${row} currency=${currency} />`)}
      ${others.length > 0 && html`<h3><span>Others</span></h3>`}
      ${others.map((row, at) => html`<${MovedRow} key=${at} row=${row} currency=${currency} />`)}
    </div>`;
}

const FactRow = ({ name, value, clauses = [] }) => html`
  <div class="fact-row"><span>${name}</span><b>${value}</b><span class="cites"><${Chips} names=${clauses.slice(0, 1)} /></span></div>`;

/** What the table has taken up to this round, for those who oversee it. */
function Takings({ facts, round }) {
  const [taken, setTaken] = useState(null);
  useEffect(() => {
    get(`/api/tables/${facts.id}/takings`).then(setTaken, () => setTaken(null));
  }, [facts.id, round]);
  if (!taken) return null;
  const sum = (cents) => money(cents, facts.currency);
  return html`
    <section class="facts"><h3>Taken</h3>
      <${FactRow} name="Drop" value=${sum(taken.drop)} /><${FactRow} name="Win" value=${gain(taken.win, facts.currency)} />
      <${FactRow} name="Hold" value=${taken.hold === null ? "–" : percent(taken.hold, 1)} />
    </section>`;
}

function Facts({ known: { facts, table, you } }) {
  const { currency, felt, cites = {}, pays = [] } = facts;
  const sum = (cents) => money(cents, currency);
  const rows = (wager) => pays.filter((row) => (row.wager ?? "") === wager)
    .map((row) => html`<${FactRow} key=${row.name} name=${row.name} value=${row.odds} clauses=${row.clauses} />`);
  return html`
    <div class="panel">
      <section class="facts"><h3>This table</h3>
        <${FactRow} name=${`Packs of ${4 * facts.ranks.length}${facts.ranks.includes("T") ? "" : ", no tens"}`} value=${table.decks} clauses=${cites.decks} />
        <${FactRow} name="Bet on a box" value=${`${sum(table.minimum)}–${sum(table.maximum)}`} clauses=${cites.limits} />
        <${FactRow} name="In multiples of" value=${sum(facts.multiple)} clauses=${cites.multiple} />
        <${FactRow} name="Bettors on a box" value=${facts.bettors > 1 ? `up to ${facts.bettors}` : facts.bettors} clauses=${cites.bettors} />
        <${FactRow} name="House" value=${facts.house} />
        ${facts.play_money !== false && html`<${FactRow} name="Money" value="play money" />`}
      </section>
      ${you?.roles?.some((role) => OVERSEE.has(role)) && html`<${Takings} facts=${facts} round=${table.round} />`}
      <section class="facts"><h3>Pays</h3>${rows("")}</section>
      <section class="facts"><h3>${capital(facts.dealer)}</h3><${FactRow} name=${felt.dealer.words} value="" clauses=${felt.dealer.clauses} /></section>
      ${(table.sides ?? []).map((side) => html`
        <section class="facts" key=${side.name}><h3>${side.title}${side.high ? `, ${side.low < side.high ? `${sum(side.low)}–` : ""}${sum(side.high)}` : ""}</h3>${rows(side.name)}</section>`)}
    </div>`;
}

function Rules({ book }) {
  const law = useStore(laws)[book];
  if (!law) return html`<div class="panel"><p class="log none">The rules are being fetched.</p></div>`;
  return html`
    <div class="panel"><div class="rules-in-rail" tabindex="0" aria-label=${law.title}>
      <a href="/rules/${book}">${law.title}, all of it on a page</a>
      ${law.clauses.map((clause) => html`<div class="clause-line" key=${clause.short}><span class="quiet-text">${clause.short}</span><p>${clause.says}</p></div>`)}
    </div></div>`;
}

export function Reader() {
  const { title, names } = useStore(reader);
  if (!names.length) return null;
  return html`<section class="reader" id="reader" tabindex="-1" aria-label=${title}><h3>${title}</h3><${ClauseText} names=${names} /></section>`;
}

/** What the round before brought, where this page has seen it, and the way to step through it. */
function LastRound({ game, table, facts }) {
  const { last } = useStore(game.ui);
  return html`
    <div class="rail-foot last-round"><span>Last round</span>
      ${last && html`<b class=${tone(last.net)}>${gain(last.net, facts.currency)}</b>`}<a href="/history/${facts.id}/${table.round - 1}">Step through it</a></div>`;
}

/** `recorded`: the lines of a console, one by one and by number; players read them gathered. */
export function Rail({ game, known, recorded = null }) {
  const ui = useStore(game.ui);
  const { table, you, facts, lines } = known;
  const settled = table.stage === "settled";
  const tabs = settled ? SETTLED : IN_PLAY;
  const fallback = settled ? "moved" : table.stage === "betting" ? "table" : "round";
  const tab = tabs.some(([name]) => name === ui.tab) ? ui.tab : fallback;
  const total = settled ? moved(lines, table, you?.name).table : 0;
  return html`
    <aside class="rail" aria-label="Round" data-open=${ui.drawer ? "true" : "false"}>
      <div class="tabs"><div class="tab-list" role="tablist" aria-label="Round" onKeyDown=${(event) => arrowsMove(event, "[role=tab]")}>
        ${tabs.map(([name, label]) => html`
          <button type="button" class="tab" role="tab" id="tab-${name}" aria-controls="rail-panel" aria-selected=${tab === name ? "true" : "false"}
            tabindex=${tab === name ? 0 : -1} onClick=${() => game.ui.change({ tab: name })} onFocus=${() => game.ui.change({ tab: name })}>${label}</button>`)}</div>
        <button type="button" class="icon-button close" aria-label="Close the log" onClick=${() => game.ui.change({ drawer: false })}><${Icon} name="close" /></button>
      </div>
      <div class="panel" role="tabpanel" id="rail-panel" aria-labelledby="tab-${tab}">
        ${tab === "moved" && html`<${Moved} known=${known} />`}
        ${tab === "round" && html`<${Log} lines=${recorded ?? gathered(lines)} numbered=${recorded !== null} own=${you?.name} empty="The log begins with the first card check." />`}
        ${tab === "rules" && html`<${Rules} book=${facts.book} />`}
        ${tab === "table" && html`<${Facts} known=${known} />`}
      </div>
      ${settled
        ? html`<div class="rail-foot">The table’s chips <b class=${tone(total)}>${gain(total, facts.currency)}</b> this round</div>`
        : tab === "table" && table.round > 1 ? html`<${LastRound} game=${game} table=${table} facts=${facts} />` : html`<${Reader} />`}
    </aside>`;
}
