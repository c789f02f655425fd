// The timeline: a bar a phase, a mark an event, a handle where the reader stands.
import { html, useRef } from "../kit/html.js";
import { useWidth } from "../kit/media.js";
import { aloud } from "../table/speak.js";
import { kindOf, phasesOf } from "./steps.js";

const GAP = 8;

/** Where every step lies, from the room there is; each phase as wide as its events. */
function placesOf(phases, steps, width) {
  const unit = Math.max(0, width - GAP * (phases.length - 1)) / Math.max(1, steps);
  let x = 0;
  const bars = phases.map((phase) => {
    const bar = { ...phase, x, width: phase.count * unit };
    x += bar.width + GAP;
    return bar;
  });
  const at = (step) => {
    const bar = bars.findLast((one) => one.first <= step) ?? bars[0];
    return bar.x + (step - bar.first + 0.5) * unit;
  };
  return { bars, at, unit };
}

function Mark({ kind, x }) {
  if (kind === "money") return html`<path class="mark money" d="M${x} 23l6 6-6 6-6-6z" />`;
  if (kind === "refused") return html`<path class="mark refused" d="M${x - 5} 24l10 10M${x + 5} 24l-10 10" />`;
  return html`<circle class="mark" cx=${x} cy="29" r="3" />`;
}

export function Timeline({ round, step, go }) {
  const ref = useRef(null);
  const width = useWidth(ref, 1392);
  const { steps } = round;
  const phases = phasesOf(steps);
  if (!steps.length) return null;
  const { bars, at, unit } = placesOf(phases, steps.length, width);
  const handle = step === 0 ? 6 : at(step);
  const move = (event) => {
    const x = event.clientX - ref.current.getBoundingClientRect().left;
    const all = steps.map((_, index) => at(index + 1));
    go(all.reduce((best, one, index) => (Math.abs(one - x) < Math.abs(all[best] - x) ? index : best), 0) + 1);
  };
  const drag = (event) => event.buttons === 1 && move(event);
  const words = `Step ${step} of ${steps.length}, ${step ? aloud(steps[step - 1].line.words) : "before the round"}`;
  return html`
    <div class="timeline" ref=${ref}>
      <div class="phase-names" aria-hidden="true">${bars.map((bar) => html`
        <span key=${bar.first} style=${{ "--x": `${bar.x}px`, "--w": `${bar.width}px` }}>${bar.name}</span>`)}</div>
      <svg width=${width} height="40" role="slider" tabindex="0" aria-label=${words} aria-valuemin="0" aria-valuemax=${steps.length}
        aria-valuenow=${step} aria-valuetext=${words} onPointerDown=${move} onPointerMove=${drag}>
        <rect class="target" width=${width} height="40" />
        ${bars.map((bar) => html`
          <rect key=${bar.first} class="bar" x=${bar.x} y="9" width=${bar.width} height="6" rx="3" />
          <rect class="bar done" x=${bar.x} y="9" width=${Math.max(0, Math.min(bar.width, handle - bar.x + (step ? unit / 2 : 0)))} height="6" rx="3" />`)}
        ${steps.map(({ line }, index) => html`<${Mark} key=${index} kind=${kindOf(line)} x=${at(index + 1)} />`)}
        <circle class="handle" cx=${handle} cy="12" r="10" />
      </svg>
    </div>`;
}
