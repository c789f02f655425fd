// Single keys act only where no field has the focus, and never by being held down.
import { settings } from "./settings.js";

const FIELDS = "input:not([type=checkbox]):not([type=range]), select, textarea";

export function onKeys(handle) {
  const listen = (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.(FIELDS) && event.key !== "Escape") return;
    if (event.key.length === 1 && event.key !== "?" && settings.get().keys === "off") return;
    handle(event);
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

/** A press that was meant once: the second click of a double click does nothing, whatever has come under it. */
export const once = (act) => (event) => event.detail < 2 && act(event);

const leftOf = (element) => element.getBoundingClientRect().left;

/** Arrow keys move the focus between the elements of a group; `placed` ones as they stand, not as they are read. */
export function arrowsMove(event, selector, placed = false) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll(selector)];
  if (placed) all.sort((a, b) => leftOf(a) - leftOf(b));
  const at = all.indexOf(event.target.closest(selector));
  if (at < 0) return;
  event.preventDefault();
  all[(at + step + all.length) % all.length].focus();
}
