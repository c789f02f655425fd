// The cut is yours: where, within the window that the rules leave.
import { html } from "../kit/html.js";

export function CutSlider({ game, choice }) {
  const { low, high } = choice.free.at;
  const at = game.amount(choice);
  return html`
    <label class="cut"><span class="label">Cut after <b>${at}</b> cards, ${low}–${high}</span>
      <input type="range" min=${low} max=${high} value=${at} aria-valuetext=${`after ${at} cards`} onInput=${(event) => game.set(choice, Number(event.target.value))} /></label>`;
}
