// A box: hands or spots, plate, foot line; and what it is called aloud.
import { html } from "../kit/html.js";
import { gain, money, spokenMoney, tone } from "../kit/money.js";
import { capital, numberName, wagerName } from "../kit/words.js";
import { Stack } from "./chip.js";
import { Chips } from "./clause.js";
import { Hand, HandRow, HandStakes, Amount, inOrder } from "./hand.js";

export const sideTitle = (name, table) => table.sides?.find((side) => side.name === name)?.title ?? wagerName(name);
export const sideShort = (name, table) => table.sides?.find((side) => side.name === name)?.short.toUpperCase() ?? wagerName(name);
const settled = (net) => net !== undefined && net !== null;
export const who = (player, own) => (player === own ? "you" : player);

/** Under whose name a box stands: who sits there, else who decides, else who bet there first. */
export const ownerOf = (box) => box.seat || box.decider || box.bets?.[0]?.player || "";

/** What the foot of a box says: who bets behind or rides, side bets and insurance. */
export function footOf(box, table, own, currency, titleOf = sideTitle) {
  const owner = ownerOf(box);
  const behind = (box.bets ?? []).filter((bet) => bet.player !== owner);
  const riders = (box.hands ?? []).flatMap((hand, at) =>
    (hand.stakes ?? []).filter((stake) => stake.rides).map((stake) => `${who(stake.player, own)} rides on hand ${at + 1}`));
  const parts = [];
  if (riders.length) parts.push({ words: riders.join(", ") });
  else if (behind.length) parts.push({ words: `${behind.map((bet) => who(bet.player, own)).join(", ")} behind` });
  for (const bet of box.bets ?? []) {
    const name = bet.player === owner ? "" : `${who(bet.player, own)} `;
    for (const side of bet.sides ?? []) {
      if (settled(side.net)) parts.push({ words: `${name}${titleOf(side.name, table)}`, net: side.net });
      else if (side.stake) parts.push({ words: `${name}${titleOf(side.name, table)} ${money(side.stake, currency)}` });
    }
    if (settled(bet.insurance_net)) parts.push({ words: `${name}insurance`, net: bet.insurance_net });
    else if (bet.insurance) parts.push({ words: `${name}insurance ${money(bet.insurance, currency)}` });
  }
  if (table.stage !== "settled" && box.hands?.every((hand) => hand.removed)) parts.push({ words: "cards removed" });
  if (box.absent?.length) parts.push({ words: `${box.absent.map((player) => who(player, own)).join(", ")} away` });
  return parts;
}

export const Foot = ({ parts, currency }) => html`
  <span class="foot">${parts.map((part, at) => html`
    ${at > 0 && " · "}${part.words}${settled(part.net) && html` <b class=${tone(part.net)}>${gain(part.net, currency)}</b>`}`)}
  </span>`;

export function boxLabel(box, table, own, currency) {
  const hands = box.hands?.length ?? 0;
  const name = ownerOf(box) ? who(ownerOf(box), own) : "free";
  const split = hands > 1 ? `, split into ${numberName(hands)} hands` : "";
  const foot = footOf(box, table, own, currency).map((part) => {
    if (!settled(part.net)) return ` ${capital(part.words)}.`;
    const how = part.net > 0 ? "won" : part.net < 0 ? "lost" : "is even";
    return ` ${capital(part.words)} ${how}${part.net ? ` ${spokenMoney(part.net, currency)}` : ""}.`;
  });
  return `Box ${box.number}, ${name}${split}.${foot.join("")}`;
}

export const Plate = ({ box, own, children }) => {
  const name = ownerOf(box);
  const kind = !name ? "vacant" : name === own ? "own" : "";
  return html`
    <span class="plate ${kind}"><span class="disc">${box.number}</span>
      <span class="name">${name ? (name === own ? "You" : name) : "No wager"}</span>${children}</span>`;
};

export const isFree = (box) => !box.seat && !box.bets?.length && !box.hands?.length;

export const SitPlate = ({ box, onSit }) => html`
  <span class="plate vacant"><span class="disc">${box.number}</span>
    <button type="button" class="sit" onClick=${() => onSit(box)}><span>Sit here<span class="aloud">, box ${box.number}</span></span></button></span>`;

export const Marker = ({ box, facts }) =>
  box.raised_to ? html`<span class="marker">Marker: to ${money(box.raised_to, facts.currency)}<${Chips} names=${(facts.cites?.marker ?? []).slice(0, 1)} /></span>` : null;

/** A box in play or settled. `manner` is how its hands are drawn where room is short: fans, rows or turn; `onSit` is for who may sit. */
export function PlayBox({ box, table, facts, own, size, manner, width, onSit }) {
  const hands = box.hands ?? [];
  const inTurn = hands.some((hand) => hand.state === "turn");
  const decider = box.decider || box.seat;
  const settings = { own, decider, facts, of: hands.length };
  const place = (at) => `hand-${box.number}-${at + 1}`;
  const draw = (hand, at) => html`
    <${Hand} key=${at} id=${place(at)} hand=${hand} number=${at + 1} ring=${hands.length === 1 && hand.state !== "turn"}
      size=${hand.state === "turn" ? "l" : size} ...${settings} />`;
  const row = (hand, at) => html`<${HandRow} key=${at} hand=${hand} number=${at + 1} ...${settings} />`;
  let body;
  if (!hands.length) body = html`<${BeforeCards} box=${box} own=${own} facts=${facts} />`;
  else if (hands.length > 1 && manner === "rows" && !inTurn) {
    const alive = hands.flatMap((hand) => (hand.stakes ?? []).filter((stake) => !settled(stake.net)));
    body = html`<div class="hand-rows">${hands.map(row)}</div>
      ${alive.length > 0 && html`<${HandStakes} stakes=${alive.slice(0, 2)} chips=${facts.chips} currency=${facts.currency} ring />`}`;
  }
  else if (hands.length > 1 && manner === "rows") {
    body = html`
      <div class="hands">
        <div class="hand-rows">${hands.map((hand, at) => hand.state !== "turn" && row(hand, at))}</div>
        ${hands.map((hand, at) => hand.state === "turn" && draw(hand, at))}
      </div>`;
  } else body = html`<div class="hands">${hands.map(draw)}</div>`;
  return html`
    <div class="box lift-${box.number} ${hands.length > 1 ? "split" : ""} ${box.seat || box.bets?.length ? "" : "vacant"}" data-at=${box.number} role="group" tabindex="0"
      id="box-${box.number}" aria-label=${boxLabel(box, table, own, facts.currency)} style=${{ "--needs": `${width}px` }}>
      <${Marker} box=${box} facts=${facts} />
      ${body}
      ${onSit && isFree(box) ? html`<${SitPlate} box=${box} onSit=${onSit} />` : html`<${Plate} box=${box} own=${own} />`}
      <${Foot} parts=${footOf(box, table, own, facts.currency)} currency=${facts.currency} />
    </div>`;
}

/** Bets that lie before the first card, or a free spot. */
function BeforeCards({ box, own, facts }) {
  const bets = inOrder((box.bets ?? []).map((bet) => ({ ...bet, original: bet.stake })), own, box.decider || box.seat);
  if (!bets.length) return html`<span class="spot vacant">${box.seat ? "no bet" : "free"}</span>`;
  return html`<${HandStakes} stakes=${bets} chips=${facts.chips} currency=${facts.currency} ring />
    <${Amount} stakes=${bets} currency=${facts.currency} />`;
}

export const SmallStack = ({ amount, chips, pending }) => html`<${Stack} amount=${amount} chips=${chips} radius=${12} pending=${pending} />`;
