// What is set on this device; theme.js puts it on the root element.
import { store } from "./store.js";

const KEPT = "croupier.settings";
const DEFAULTS = { theme: "device", deck: "two", mirror: "off", motion: "on", hints: "on", keys: "on" };

function kept() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return DEFAULTS;
  }
}

export const settings = store(kept());

export function setSetting(name, value) {
  settings.change({ [name]: value });
  localStorage.setItem(KEPT, JSON.stringify(settings.get()));
  dispatchEvent(new Event("croupier:settings"));
}
