// Before the first round: the cards are checked, shuffled, cut and burnt, ticked as it happens.
import { html } from "../kit/html.js";
import { Chips } from "./clause.js";

const STEPS = [
  ["opening", "Cards checked", "CardsChecked"], ["shuffle", "Shuffled", "CardsShuffled"], ["cut", "Cut", "CardsCut"],
  ["place", "Cutting card placed", "CuttingCardsPlaced"], ["burn", "Burnt", "CardBurnt"],
];
export const isPreparing = ({ stage }) => STEPS.some(([name]) => name === stage);

export function Opening({ table, lines }) {
  const at = STEPS.findIndex(([name]) => name === table.stage);
  const clausesOf = (event) => lines.findLast((line) => line.event === event)?.clauses ?? [];
  return html`
    <div class="dealer-place" id="dealer"><ol class="opening" aria-label="The cards are prepared">${STEPS.map(([name, words, event], index) => html`
      <li key=${name} class=${index < at ? "done" : index === at ? "now" : ""}><span aria-hidden="true">${index < at ? "✓" : "·"}</span>${words}
        <span class="unseen">${index < at ? "done" : "to come"}</span><${Chips} names=${clausesOf(event).slice(0, 1)} /></li>`)}</ol></div>`;
}
