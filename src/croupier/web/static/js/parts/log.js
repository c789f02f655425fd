// The log: sentences by phase with their clauses. It follows the newest line unless somebody reads further up.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../kit/html.js";
import { useClauses } from "./clause.js";
import { Sentence } from "./sentence.js";

/** A line as it is told to this player: what is about you speaks to you. */
export const toldTo = (line, own) => (own && line?.player === own && line.yours) || (line?.words ?? "");

/** `number`: that of the line on record, where somebody may have to name it. */
export function Entry({ line, own, now = false, later = false, number = null }) {
  const { chips, text } = useClauses(line.clauses);
  const kinds = [
    "entry", now && "now", later && "later", line.refused && "refused", line.player && line.player === own && "yours",
  ].filter(Boolean);
  return html`
    <div class=${kinds.join(" ")}>
      ${number && html`<span class="line-number"><span class="aloud">line </span>${number} </span>`}
      ${line.refused && html`<b class="lose">Refused: </b>`}<${Sentence} words=${toldTo(line, own)} />${chips}${text}
    </div>`;
}

export function Log({ lines, own, current = lines.length - 1, showsLater = false, numbered = false, empty, renderEntry }) {
  const ref = useRef(null);
  const [follows, setFollows] = useState(true);
  useLayoutEffect(() => {
    const log = ref.current;
    if (!follows || showsLater || !log) return undefined;
    const toEnd = () => (log.scrollTop = log.scrollHeight);
    toEnd();
    const observer = new ResizeObserver(toEnd);
    observer.observe(log);
    return () => observer.disconnect();
  }, [lines.length, follows]);
  useEffect(() => {
    if (!showsLater) return;
    const log = ref.current;
    const now = log?.querySelector(".now");
    if (now) log.scrollTop = now.offsetTop + now.offsetHeight / 2 - log.clientHeight / 2;
  }, [current, showsLater]);
  const scrolled = ({ target }) => setFollows(target.scrollHeight - target.scrollTop - target.clientHeight < 40);
  if (!lines.length) return html`<div class="log"><p class="none">${empty}</p></div>`;
  return html`
    <div class="log" role="log" aria-live="off" tabindex="0" aria-label="Log" ref=${ref} onScroll=${showsLater ? null : scrolled}>
      ${lines.map((line, at) => html`
        ${line.phase !== lines[at - 1]?.phase && html`<h3 key=${`phase-${at}`}>${line.phase}</h3>`}
        ${renderEntry ? renderEntry(line, at) : html`<${Entry} key=${`${line.n}-${at}`} line=${line} own=${own} number=${numbered && line.n !== lines[at - 1]?.n ? line.n : null} now=${at === current} later=${showsLater && at > current} />`}`)}
      ${!follows && !showsLater && html`
        <button type="button" class="button small jump" onClick=${() => setFollows(true)}>Jump to now</button>`}
    </div>`;
}
