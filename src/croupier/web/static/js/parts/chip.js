// Chips and stacks of chips. A stack is a picture; the amount is always beside it in text.
import { html } from "../kit/html.js";

const SPOTS = { 100: 2, 250: 3, 500: 4, 2500: 6, 10000: 8, 50000: 5 };
const KINDS = Object.keys(SPOTS).map(Number).sort((a, b) => b - a);
const MOST_DRAWN = 6;
/** How large a number is for its digits, in radii. */
const NUMBER = [0, 0.8, 0.68, 0.54, 0.42, 0.36];

const kindOf = (value) => KINDS.find((kind) => kind <= value) ?? KINDS.at(-1);
const className = (value) => `chip-${String(kindOf(value) / 100).replace(".", "-")}`;
const label = (value) => (value % 100 ? (value / 100).toFixed(2) : String(value / 100));

function Disc({ value, cx, cy, r, numbered = true, side = 0 }) {
  const around = 2 * Math.PI * (r * 0.88);
  const spots = SPOTS[kindOf(value)];
  const long = around / (spots * 3.2);
  const text = label(value);
  return html`
    <g class="chip ${className(value)}">
      ${side > 0 && html`<circle class="side" cx=${cx} cy=${cy + side} r=${r} />`}
      <circle class="rim" cx=${cx} cy=${cy} r=${r - 0.5} stroke-width="1" />
      <circle class="spots" cx=${cx} cy=${cy} r=${r * 0.88} stroke-width=${r * 0.2}
        stroke-dasharray="${long} ${around / spots - long}" stroke-dashoffset=${long / 2} transform="rotate(-90 ${cx} ${cy})" />
      ${numbered && html`
        <circle class="ring" cx=${cx} cy=${cy} r=${r * 0.62} stroke-width=${r * 0.05} />
        <text x=${cx} y=${cy + r * NUMBER[text.length] * 0.36} font-size=${r * NUMBER[text.length]}>${text}</text>`}
    </g>`;
}

export const Chip = ({ value }) => html`
  <svg viewBox="0 0 42 42" aria-hidden="true"><${Disc} value=${value} cx=${21} cy=${21} r=${21} /></svg>`;

/** The chips that make up an amount, the largest first. */
export function chipsOf(amount, chips) {
  const kinds = [...(chips?.length ? chips : KINDS)].sort((a, b) => b - a);
  const found = [];
  let rest = amount;
  for (const kind of kinds) {
    while (rest >= kind && found.length < 40) {
      found.push(kind);
      rest -= kind;
    }
  }
  return found;
}

export function Stack({ amount, chips, radius = 17, pending = false }) {
  const all = chipsOf(amount, chips);
  if (!all.length) return null;
  const drawn = all.length > MOST_DRAWN ? [...all.slice(0, MOST_DRAWN - 1), all.at(-1)] : all;
  const step = radius * 0.27;
  const height = 2 * radius + step * drawn.length;
  return html`
    <svg class="stack ${pending ? "pending" : ""}" width=${2 * radius} height=${height} viewBox="0 0 ${2 * radius} ${height}" aria-hidden="true">
      ${drawn.map((value, at) => html`
        <${Disc} key=${at} value=${value} cx=${radius} cy=${height - step - radius - at * step} r=${radius}
          side=${step} numbered=${at === drawn.length - 1} />`)}
    </svg>`;
}
