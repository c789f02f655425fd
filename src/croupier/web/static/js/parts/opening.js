// Before cards can be dealt they are checked, shuffled, cut and burnt: what of it is done, and what is to come.
import { html } from "../kit/html.js";
import { Chips } from "./clause.js";

/** Cards that lie on the table are not hidden by what is done to the others. */
export const isPreparing = ({ preparing, dealer }) => preparing?.length > 0 && !dealer?.cards?.length;

export function Opening({ table: { preparing } }) {
  const at = preparing.findIndex((step) => !step.done);
  return html`
    <div class="dealer-place" id="dealer"><ol class="opening" aria-label="The cards are prepared">${preparing.map(({ words, clauses, done }, index) => html`
      <li key=${words} class=${done ? "done" : index === at ? "now" : ""}><span class="tick" aria-hidden="true">${done ? "✓" : "·"}</span>${words}
        <span class="unseen">${done ? "done" : "to come"}</span><span class="cites"><${Chips} names=${(clauses ?? []).slice(0, 1)} /></span></li>`)}</ol></div>`;
}
