// A spot that a bet can be laid on. Press lays the chip in hand; hold, right-click or Backspace takes one off.
import { html, useRef } from "../kit/html.js";

const HOLD = 500;

export function Spot({ kinds, label, closed, onLay, onTake, children }) {
  const held = useRef({ timer: 0, took: false });
  const hold = () => {
    held.current.took = false;
    held.current.timer = setTimeout(() => {
      held.current.took = true;
      onTake?.();
    }, HOLD);
  };
  const release = () => clearTimeout(held.current.timer);
  const press = () => {
    if (!held.current.took) onLay();
    held.current.took = false;
  };
  const key = (event) => {
    if (event.key !== "Backspace" || !onTake) return;
    event.preventDefault();
    event.stopPropagation();
    onTake();
  };
  const take = (event) => {
    event.preventDefault();
    onTake?.();
  };
  return html`
    <button type="button" class="spot ${kinds}" aria-disabled=${closed ? "true" : null} onClick=${press}
      onPointerDown=${onTake ? hold : null} onPointerUp=${release} onPointerLeave=${release} onContextMenu=${take} onKeyDown=${key}>
      <span class="aloud">${label}</span><span class="in-spot" aria-hidden="true">${children}</span></button>`;
}
