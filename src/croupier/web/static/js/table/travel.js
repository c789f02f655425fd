// Chips on their way: copies that lie on top of a table whose state is already shown. Any press finishes them.
import { html, render } from "../kit/html.js";
import { settings } from "../kit/settings.js";
import { Stack } from "../parts/chip.js";

const CHIPS = 240;
const STAGGER = 60;
const COLLECT = 200;
/** With more than this at once nobody could follow. */
const MOST = 14;
const ARRIVES = "cubic-bezier(.2,.8,.2,1)";
const LEAVES = "cubic-bezier(.4,0,1,1)";

const isStill = () =>
  document.hidden || settings.get().motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

const middleOf = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/** A stack that goes from one place of the page to another and is gone. */
function travel(amount, chips, from, to, { delay = 0, duration = CHIPS, easing = ARRIVES } = {}) {
  const copy = document.createElement("div");
  copy.className = "travelling";
  copy.setAttribute("aria-hidden", "true");
  document.body.append(copy);
  render(html`<${Stack} amount=${amount} chips=${chips} radius=${14} />`, copy);
  const at = ({ x, y }) => `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  const way = copy.animate(
    [{ transform: at(from), opacity: 1 }, { transform: at(to), opacity: 1, offset: 0.85 }, { transform: at(to), opacity: 0 }],
    { duration, delay, easing, fill: "backwards" },
  );
  way.finished.then(() => copy.remove(), () => copy.remove());
}

const placeOf = (box) => document.querySelector(`#box-${box} .spot, #box-${box} .stack`) ?? document.getElementById(`box-${box}`);
const dealer = () => document.getElementById("dealer") ?? document.querySelector(".felt");

/** Losing chips go to the dealer first, then winnings come out, one after another as the events say. */
function pay(lines, chips) {
  const moves = lines.flatMap((line) => line.moved ?? []).filter(({ box, source, target }) => box && (source === "float" || target === "float"));
  if (moves.length > MOST || !dealer()) return;
  const lost = moves.filter(({ target }) => target === "float");
  const won = moves.filter(({ source }) => source === "float");
  const bank = middleOf(dealer());
  [...lost, ...won].forEach(({ amount, box, target }, at) => {
    const place = placeOf(box);
    if (!place) return;
    const there = middleOf(place);
    if (target === "float") travel(amount, chips, there, bank, { delay: at * STAGGER, duration: COLLECT, easing: LEAVES });
    else travel(amount, chips, bank, there, { delay: lost.length * STAGGER + at * STAGGER });
  });
}

/** What the table did not take slides back to the chip that it came from. */
export function slideBack(box, amount, chips) {
  const spot = placeOf(box);
  const rack = document.querySelector(".rack-chip[aria-checked=true]") ?? document.querySelector(".rack");
  if (amount > 0 && spot && rack && !isStill()) travel(amount, chips, middleOf(spot), middleOf(rack), { easing: LEAVES });
}

export const chipsTravel = (game) =>
  game.link.onFrame((frame) => {
    if (frame.type === "news" && !isStill()) requestAnimationFrame(() => pay(frame.lines, game.known.facts.chips));
  });
