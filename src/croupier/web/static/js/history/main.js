// History: any round of a table, step by step. A link leads to a step.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "../kit/html.js";
import { get, loadMe, me } from "../kit/http.js";
import { onKeys } from "../kit/keys.js";
import { loadLaw } from "../kit/laws.js";
import { PHONE, useMedia } from "../kit/media.js";
import { gain, tone } from "../kit/money.js";
import { useStore } from "../kit/store.js";
import { Book, ClauseText, useClauses } from "../parts/clause.js";
import { PlayFelt } from "../parts/felt.js";
import { Icon } from "../parts/icon.js";
import { Log, toldTo } from "../parts/log.js";
import { Sentence } from "../parts/sentence.js";
import { KeysSheet, SettingsSheet } from "../parts/settings.js";
import { Connection, Home, Pages, Tools } from "../parts/topbar.js";
import { PhonePlayFelt } from "../table/phone.js";
import { Controls } from "./controls.js";
import { phasesOf, sumsAfter, tableAt } from "./steps.js";
import { Timeline } from "./timeline.js";

const [, , table, asked] = location.pathname.split("/");
const BEAT = 900;
const KEYS = [
  ["← →", "a step"], ["Shift ← →", "a phase"], ["Home End", "first, last"], ["Space", "play, stop"], ["[ ]", "round before, after"], ["w", "clause"],
];

const stepOfAddress = (last) => Math.min(last, Math.max(0, Number.parseInt(location.hash.slice(1), 10) || 0));

function Entry({ line, own, now, later, onGo }) {
  const { chips, text } = useClauses(line.clauses);
  const kinds = ["entry", now && "now", later && "later", line.refused && "refused", line.player === own && own && "yours"].filter(Boolean);
  return html`
    <div class=${kinds.join(" ")} onClick=${onGo}>
      ${line.refused && html`<b class="lose">Refused: </b>`}<${Sentence} words=${toldTo(line, own)} />${chips}
      ${now && !text && line.clauses?.length > 0 ? html`<${ClauseText} names=${line.clauses.slice(0, 1)} />` : text}
    </div>`;
}

const OtherRound = ({ name, icon, round }) =>
  round
    ? html`<a class="button quiet square" aria-label=${name} href="/history/${table}/${round}"><${Icon} name=${icon} /></a>`
    : html`<button type="button" class="button quiet square" aria-label=${`${name}, there is none`} aria-disabled="true"><${Icon} name=${icon} /></button>`;

function MoneyStrip({ round, step, own }) {
  const { players, table: house } = sumsAfter(round, step);
  const { currency } = round.facts;
  return html`
    <div class="money-strip" role="group" aria-label="Sums"><span class="quiet-text">After step ${step}</span>
      ${players.map(([player, net]) => html`<span key=${player}>${player === own ? "You" : player} <b class=${tone(net)}>${gain(net, currency)}</b></span>`)}
      <span>Table <b>${gain(house, currency)}</b></span></div>`;
}

function useSwipe(back, forward) {
  const start = useRef(0);
  return {
    onTouchStart: (event) => (start.current = event.touches[0].clientX),
    onTouchEnd: (event) => {
      const way = event.changedTouches[0].clientX - start.current;
      if (Math.abs(way) > 50) (way > 0 ? back : forward)();
    },
  };
}

function Round({ round, verified }) {
  const own = useStore(me)?.name;
  const phone = useMedia(PHONE);
  const last = round.steps.length;
  const [step, setStep] = useState(() => stepOfAddress(last));
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [sheet, setSheet] = useState("");
  const [copied, setCopied] = useState(false);
  const go = (to) => {
    const next = Math.max(0, Math.min(last, to));
    setStep(next);
    setCopied(false);
    history.replaceState(null, "", `#${next}`);
  };
  const play = () => {
    if (step === last) go(0);
    setPlaying(!playing);
  };
  useEffect(() => {
    if (!playing) return undefined;
    if (step === last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => go(step + 1), BEAT / speed);
    return () => clearTimeout(timer);
  }, [playing, step, speed]);
  useEffect(() => {
    const listen = () => setStep(stepOfAddress(last));
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  const toPhase = (direction) => {
    const starts = phasesOf(round.steps).map((phase) => phase.first);
    go(direction > 0 ? starts.find((first) => first > step) ?? last : starts.findLast((first) => first < step) ?? 0);
  };
  const toRound = (number) => number && location.assign(`/history/${table}/${number}`);
  useLayoutEffect(() => onKeys((event) => {
    if (sheet) return;
    const acts = {
      ArrowLeft: () => (event.shiftKey ? toPhase(-1) : go(step - 1)), ArrowRight: () => (event.shiftKey ? toPhase(1) : go(step + 1)),
      Home: () => go(0), End: () => go(last), " ": play, "[": () => toRound(round.previous), "]": () => toRound(round.next),
      w: () => document.querySelector(".entry.now .clause")?.focus(), "?": () => setSheet("keys"),
    };
    const act = event.key === " " && event.target.closest("button, a") ? null : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }));
  const swipe = useSwipe(() => go(step - 1), () => go(step + 1));
  const copy = () => navigator.clipboard?.writeText(location.href.replace(/#.*|$/, `#${step}`)).then(() => setCopied(true));
  const { facts } = round;
  const shown = { table: tableAt(round, step), facts, you: { name: own } };
  const lines = round.steps.map((one) => one.line);
  return html`
    <${Book.Provider} value=${facts.book}>
      <div class="history-page">
        <a class="skip" href="#timeline">To the timeline</a>
        <header class="topbar"><${Home} /><${Pages} current="History" table=${table} /><span class="push-right"></span>
          ${verified && html`<${Connection} state=${verified.holds ? "live" : "lost"} words=${verified.words} />`}
          <${Tools} onHelp=${() => setSheet("keys")} onSettings=${() => setSheet("settings")} /></header>
        <main aria-label=${`Round ${round.round}`}>
          <div class="history-head">
            <${OtherRound} name="Round before" icon="back" round=${round.previous} />
            <h1 class="page-title">Round ${round.round}</h1>
            <${OtherRound} name="Round after" icon="forward" round=${round.next} />
            <span class="quiet-text">${facts.name} · ${facts.title}<span class="of-steps"> · ${last} steps</span></span>
            <span class="push-right"></span>
            <button type="button" class="button quiet" onClick=${copy}>${copied ? "Link copied" : "Copy link to this step"}</button>
            <a class="button quiet" href="/api/tables/${table}/rounds/${round.round}/case" download>Save as a case</a>
          </div>
          <div class="state" ...${swipe}>
            ${phone ? html`<${PhonePlayFelt} known=${shown} />` : html`<${PlayFelt} table=${shown.table} facts=${facts} own=${own} dealerSize="m" />`}
            <${MoneyStrip} round=${round} step=${step} own=${own} />
          </div>
          <aside class="steps" aria-label="Log">
            <${Log} lines=${lines} own=${own} current=${step - 1} showsLater empty="Nothing happened in this round."
              renderEntry=${(line, at) => html`<${Entry} key=${at} line=${line} own=${own} now=${at === step - 1} later=${at > step - 1} onGo=${() => go(at + 1)} />`} />
          </aside>
          <div class="bottom" id="timeline" tabindex="-1">
            <${Timeline} round=${round} step=${step} go=${go} />
            <${Controls} step=${step} last=${last} playing=${playing} speed=${speed} go=${go} onPlay=${play} onSpeed=${setSpeed} />
          </div>
        </main>
        ${sheet === "settings" && html`<${SettingsSheet} onClose=${() => setSheet("")} />`}
        ${sheet === "keys" && html`<${KeysSheet} keys=${KEYS} onClose=${() => setSheet("")} />`}
      </div>
    <//>`;
}

function Nothing({ title, words }) {
  return html`<main class="nothing"><h1>${title}</h1><p>${words} <a href="/">Back to the lobby</a></p></main>`;
}

function HistoryPage() {
  const [known, setKnown] = useState(null);
  useEffect(() => {
    (async () => {
      const { rounds, verified } = await get(`/api/tables/${table}/rounds`);
      if (!rounds.length) return setKnown({ title: "No round yet", words: "The log begins with the first card check." });
      const round = await get(`/api/tables/${table}/rounds/${asked || rounds.at(-1).round}`);
      await loadLaw(round.facts.book).catch(() => null);
      document.title = `Round ${round.round} · ${round.facts.name}`;
      return setKnown({ round, verified });
    })().catch((problem) => setKnown({ title: (problem.words ?? String(problem)).replace(/\.$/, ""), words: "" }));
  }, []);
  if (!known) return html`<${Nothing} title="One moment" words="The round is being fetched." />`;
  if (!known.round) return html`<${Nothing} title=${known.title} words=${known.words} />`;
  return html`<${Round} round=${known.round} verified=${known.verified} />`;
}

await loadMe().catch(() => null);
render(html`<${HistoryPage} />`, document.getElementById("app"));
