// The cut is yours: where, within the window that the rules leave.
import { html, useState } from "../kit/html.js";
import { PlainAction } from "../parts/action.js";

export function CutRow({ game, choices }) {
  const cut = choices.find((choice) => choice.command.type === "Cut");
  const decline = choices.find((choice) => choice.command.type !== "Cut");
  const { low, high } = cut.free.at;
  const [at, setAt] = useState(cut.command.at);
  return html`
    <label class="cut"><span class="label">Cut after ${at} cards, ${low}–${high}</span>
      <input type="range" min=${low} max=${high} value=${at} onInput=${(event) => setAt(Number(event.target.value))} /></label>
    <${PlainAction} name=${cut.label} line=${cut.words} onPress=${() => game.ask("cut", { ...cut.command, at })} />
    ${decline && html`<${PlainAction} name=${decline.label} line=${decline.words} onPress=${() => game.ask("decline", decline.command)} />`}`;
}
