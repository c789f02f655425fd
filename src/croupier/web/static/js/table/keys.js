// The keys of the table page. What a key does is what its button does.
import { onKeys } from "../kit/keys.js";
import { stepThrough } from "./actionbar.js";
import { rackOf } from "./rack.js";
import { momentOf } from "./stages.js";

export const KEYS = [
  ["h s d p r f", "hit, stand, double, split, surrender, forfeit a double"],
  ["i e r n", "insure (↑ ↓ amount), even money, surrender, none"],
  ["← →", "between actions"],
  ["1–5", "while betting: the chip in your hand"],
  ["b Backspace", "while betting: a chip on your box, take it back"],
  ["r c n", "while betting: repeat last, clear, deal"],
  ["1–7 0", "to that box, to the dealer"],
  ["w l t", "why (the reader), the log, step through"],
  ["m", "more time"],
  ["?", "these keys"],
  ["Esc", "close"],
];

const focus = (id) => document.getElementById(id)?.focus();

function whileBetting(game, key) {
  const chips = rackOf(game.known.facts);
  if (chips[Number(key) - 1]) game.bets.take(chips[Number(key) - 1]);
  else if (key === "b") document.querySelector(".spot.main.own")?.click();
  else return false;
  return true;
}

/** The button of the bar that has this key; of several the first that is open. */
function pressButton(key) {
  const all = [...document.querySelectorAll(".action-bar [data-key]")].filter((one) => one.dataset.key === key);
  const button = all.find((one) => !one.ariaDisabled) ?? all[0];
  if (button?.matches(".action")) button.focus();
  button?.click();
  return Boolean(button);
}

function insuranceSteps(game, key) {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[key];
  const insure = direction && (game.known.you?.choices ?? []).find((one) => one.key === "i" && one.free?.amount && !one.closed);
  if (insure) game.step(insure, direction);
  return Boolean(insure);
}

function anywhere(game, key) {
  const { ui } = game;
  if (/^[1-9]$/.test(key)) focus(`box-${key}`);
  else if (key === "0") focus("dealer");
  else if (key === "w") focus("reader");
  else if (key === "l") ui.change({ drawer: !ui.get().drawer, tab: "round" });
  else if (key === "t") stepThrough(game);
  else if (key === "?") ui.change({ sheet: "keys" });
  else if (key === "Escape") ui.change({ drawer: false, sheet: "", shown: null, refusal: null, question: null, why: null });
  else return false;
  return true;
}

export const tableKeys = (game) =>
  onKeys((event) => {
    if (!game.known.table || game.ui.get().sheet) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const moment = momentOf(game.known);
    const done =
      (moment === "betting" && whileBetting(game, key)) ||
      (moment === "offers" && insuranceSteps(game, key)) || pressButton(key) || anywhere(game, key);
    if (done) event.preventDefault();
  });
