// The felt: print, dealer, rack, shoe, and what lies before them.
import { html, useEffect, useRef } from "../kit/html.js";
import { useMedia, useWidth, PHONE } from "../kit/media.js";
import { capital, numberName } from "../kit/words.js";
import { PlayBox } from "./box.js";
import { Fan } from "./card.js";
import { boxWidth, fit } from "./fit.js";
import { SPRITE } from "./icon.js";
import { isPreparing, Opening } from "./opening.js";

const MIDDLE = 546;
const CENTRE = -356;
const REACH = 400;

/** An arc round a centre above the felt, by its lowest point. */
function arc(lowest, reach = REACH) {
  const radius = lowest - CENTRE;
  const y = CENTRE + Math.sqrt(radius ** 2 - reach ** 2);
  return `M${MIDDLE - reach} ${y}A${radius} ${radius} 0 0 0 ${MIDDLE + reach} ${y}`;
}

const Line = ({ id, lowest, kind, words }) => html`
  <path id=${id} d=${arc(lowest)} stroke="none" class="unstroked" />
  <text class=${kind}><textPath href="#${id}" startOffset="50%">${words}</textPath></text>`;

/** Decoration: the same facts stand with their clauses in the rail. */
export const Print = ({ felt }) => html`
  <svg class="print" viewBox="0 0 1092 400" aria-hidden="true">
    <${Line} id="print-natural" lowest=${262} kind="pays" words=${felt.natural.words.toUpperCase()} />
    <${Line} id="print-dealer" lowest=${288} kind="rule" words=${felt.dealer.words} />
    <path d=${arc(306, 393)} /><path d=${arc(338, 408)} />
    ${felt.insurance && html`<${Line} id="print-insurance" lowest=${327} kind="insurance" words=${felt.insurance.words.toUpperCase()} />`}
  </svg>`;

export const Rack = ({ count }) => html`
  <div class="rack-of-cards"><svg viewBox="0 0 34 24" aria-hidden="true"><use href="${SPRITE}#rack" /></svg>
    <span>Discard rack<b class="count">${count}</b></span></div>`;

export const Shoe = ({ count }) => html`
  <div class="shoe"><span><span class="name-of-shoe">Shoe</span><span class="count"><b>${count}</b> left</span></span>
    <svg viewBox="0 0 36 24" aria-hidden="true"><path d="M1 20L9 3h26v17zM9 3v6L6 20" /><path class="cutting-card" d="M26 3v17" /></svg></div>`;

const dealerTotal = (dealer) => (/^\d+$/.test(dealer.words) ? numberName(dealer.total) : dealer.words);

export function DealerPlace({ dealer, name, size = "l" }) {
  const cards = dealer?.cards ?? [];
  if (!cards.length) return null;
  return html`
    <div class="dealer-place" role="group" tabindex="0" id="dealer" aria-label=${`${capital(name)}, ${dealerTotal(dealer)}`}>
      <span class="tag">${capital(name)}</span>
      <${Fan} cards=${cards} size=${size} />
      <span class="total">${dealer.words}</span>
    </div>`;
}

/** Own box first, then by number: the order of focus; where they stand is style's affair. */
export const boxesInOrder = (boxes, own) => {
  const isOwn = (box) => (box.seat || box.decider) === own;
  return [...boxes.filter(isOwn), ...boxes.filter((box) => !isOwn(box))];
};

export function BoxRow({ table, facts, own, children, onSit, onKeyDown, betting = false }) {
  const ref = useRef(null);
  const width = useWidth(ref, 1084);
  const { size, manner, scrolls, squeezed, tight } = fit(table.boxes, width);
  const least = squeezed ? [0, 0] : undefined;
  useEffect(() => {
    const row = ref.current;
    const turn = scrolls && row?.querySelector(".in-turn");
    if (!turn) return;
    const [own, all] = [turn.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += own.left + own.width / 2 - all.left - all.width / 2; // the row alone: the felt under it stays
  }, [scrolls, String(table.turn)]);
  return html`
    <div ref=${ref} onKeyDown=${onKeyDown} class="boxes ${betting ? "betting" : ""} ${scrolls ? "scrolls" : ""} ${squeezed ? "squeezed" : ""} ${tight ? "tight" : ""}">
      ${children ?? boxesInOrder(table.boxes, own).map((box) => html`
        <${PlayBox} key=${box.number} box=${box} table=${table} facts=${facts} own=${own} size=${size} manner=${manner} width=${boxWidth(box, size, manner, least)} onSit=${onSit} />`)}
    </div>`;
}

/** The table as it lies, without spots to press: play, settlement and history. `onSit` takes a free box. */
export function PlayFelt({ table, facts, own, children, onSit, calm = false, dealerSize }) {
  const phone = useMedia(PHONE);
  return html`
    <div class="felt ${calm ? "calm" : ""}">
      ${children}
      <${BoxRow} table=${table} facts=${facts} own=${own} onSit=${onSit} />
      <${Print} felt=${facts.felt} />
      ${isPreparing(table)
        ? html`<${Opening} table=${table} />`
        : html`<${DealerPlace} dealer=${table.dealer} name=${facts.dealer} size=${dealerSize ?? (phone ? "m" : "l")} />`}
      <${Rack} count=${table.rack} /><${Shoe} count=${table.shoe} />
    </div>`;
}
