// The felt while bets are open: the call in the dealer's place, and a spot for every bet.
import { html } from "../kit/html.js";
import { useCountdown } from "../kit/clock.js";
import { arrowsMove } from "../kit/keys.js";
import { money, spokenMoney } from "../kit/money.js";
import { isFree, Marker, Plate, SitPlate, sideTitle, who } from "../parts/box.js";
import { Stack } from "../parts/chip.js";
import { BoxRow, boxesInOrder, Print, Rack, Shoe } from "../parts/felt.js";
import { Spot } from "./spot.js";
import { betsOf, maySit, seatsOf } from "./stages.js";

const AROUND = 2 * Math.PI * 50;

/** What to do where no clock runs and nobody hurries; real cards are dealt by their dealer. */
function guidance({ table, you, facts }) {
  const [until, ready, then] = facts.kind === "live"
    ? [`The ${facts.dealer} closes the bets`, `The ${facts.dealer} closes the bets`, "Put a chip in your circle"]
    : ["Nobody hurries: there is no clock", "Press Deal when you are ready", "Put a chip in your circle, then press Deal"];
  if (!seatsOf(table, you?.name).length) return until;
  if (you.done) return "Waiting for the others";
  return betsOf(table, you.name).length ? ready : then;
}

export function Call({ known }) {
  const { table, skew } = known;
  const countdown = useCountdown(table.clock, skew);
  return html`
    <div class="dealer-place" id="dealer"><div class="call">
      ${countdown && html`
        <svg class="ring ${countdown.seconds <= 5 ? "last" : ""}" viewBox="0 0 112 112" aria-hidden="true">
          <circle class="disc" cx="56" cy="56" r="50" /><circle class="track" cx="56" cy="56" r="50" />
          <circle class="left" cx="56" cy="56" r="50" transform="rotate(-90 56 56)"
            stroke-dasharray="${countdown.part * AROUND} ${AROUND}" />
          <text x="56" y="70">${countdown.seconds}</text></svg>`}
      <div><h2>Place your bets</h2>
        <p>${countdown ? `No more bets in ${countdown.seconds} second${countdown.seconds === 1 ? "" : "s"}` : guidance(known)}</p></div>
    </div></div>`;
}

/** Everything about one box that the spots need: whose it is, what is mine on it, what others have. */
export function boxForBets(box, game) {
  const { table, you, facts } = game.known;
  const own = you?.name;
  const spot = you?.spots?.find((one) => one.box === box.number);
  const mine = own ? game.bets.on(box.number) : { stake: 0, sides: {} };
  const others = (box.bets ?? []).filter((bet) => bet.player !== own);
  const pending = game.bets.isPending(box.number);
  const isOwn = Boolean(own) && box.seat === own;
  const sits = maySit(you) && isFree(box) && !mine.stake;
  const sides = isOwn || mine.stake ? (table.sides ?? []) : [];
  return { box, spot, mine, others, pending, isOwn, sits, sides, currency: facts.currency, chips: facts.chips, own, facts, table };
}

export const beingPlaced = (pending) => (pending ? ", being placed" : "");

export function MainSpot({ view, game, radius = 17, extra = "" }) {
  const { box, mine, isOwn, pending, currency, chips, spot, others } = view;
  const seat = others.find((bet) => bet.player === box.seat) ?? (isOwn ? null : others[0]);
  const lies = isOwn ? mine.stake : seat?.stake ?? 0;
  if (isOwn) {
    const label = `Bet on box ${box.number}, ${mine.stake ? spokenMoney(mine.stake, currency) : "nothing yet"}${beingPlaced(pending)}`;
    return html`
      <${Spot} kinds=${`main own ${extra} ${pending ? "pending" : ""}`} label=${label} closed=${spot?.closed}
        onLay=${() => layOrWhy(game, view)} onTake=${() => game.bets.takeBack(box.number, "main")}>
        ${lies > 0 ? html`<${Stack} amount=${lies} chips=${chips} radius=${radius} pending=${pending} />` : html`bet<br />here`}
      <//>`;
  }
  if (view.sits) {
    return html`
      <${Spot} kinds="main vacant" label=${`Sit at box ${box.number}`} onLay=${() => sit(game, box)}>free<//>`;
  }
  return html`<span class="spot main ${lies ? "" : "vacant"}">
    ${lies ? html`<${Stack} amount=${lies} chips=${chips} radius=${radius} />` : box.seat ? html`<span>no bet<br />yet</span>` : "free"}</span>`;
}

export const sit = (game, box) => game.ask(`sit-${box.number}`, { type: "Sit", box: box.number });

export function layOrWhy(game, view, which = "main") {
  if (view.spot?.closed) game.hearReply({ ok: false, why: "refused", what: `bet-${view.box.number}`, said: view.spot.closed });
  else game.bets.lay(view.box.number, which);
}

export function SideSpot({ side, view, game, radius = 12 }) {
  const { mine, box, pending, currency, chips } = view;
  const amount = mine.sides[side.name] ?? 0;
  const label = `${side.title} on box ${box.number}, ${amount ? spokenMoney(amount, currency) : "nothing yet"}${beingPlaced(pending)}`;
  return html`
    <${Spot} kinds=${`small ${amount ? "own" : ""} ${pending ? "pending" : ""}`} label=${label} closed=${view.spot?.closed}
      onLay=${() => layOrWhy(game, view, side.name)} onTake=${() => game.bets.takeBack(box.number, side.name)}>
      ${amount > 0 ? html`<${Stack} amount=${amount} chips=${chips} radius=${radius} pending=${pending} />` : side.short.toUpperCase()}
    <//>`;
}

/** A box has room for so many bettors; whatever else closes it is said when it is pressed. */
export const closedWord = ({ others, facts }) => (others.length >= facts.bettors ? "full" : "closed");

export function BehindSpot({ view, game }) {
  const { box, mine, pending, currency, chips, spot, own } = view;
  if (!own || view.isOwn || (isFree(box) && !mine.stake)) return null;
  const words = spot?.closed ? closedWord(view) : "behind";
  const whose = box.seat || `box ${box.number}`;
  const label = `Bet behind ${whose} on box ${box.number}, ${mine.stake ? `your ${spokenMoney(mine.stake, currency)}` : "nothing yet"}${beingPlaced(pending)}`;
  return html`
    <${Spot} kinds=${`small behind ${mine.stake ? "" : spot?.closed ? "" : "vacant"} ${pending ? "pending" : ""}`} label=${label} closed=${spot?.closed}
      onLay=${() => layOrWhy(game, view)} onTake=${() => game.bets.takeBack(box.number, "main")}>
      ${mine.stake > 0 ? html`<${Stack} amount=${mine.stake} chips=${chips} radius=${12} pending=${pending} />` : words}
    <//>`;
}

const OtherSide = ({ side, chips }) => html`<span class="spot small"><${Stack} amount=${side.stake} chips=${chips} radius=${12} /></span>`;

function Amounts({ view }) {
  const { mine, others, isOwn, box, currency, table, own } = view;
  const seat = others.find((bet) => bet.player === box.seat) ?? (isOwn ? null : others[0]);
  const first = isOwn ? mine.stake : seat?.stake;
  if (!first) return html`<span class="amount"> </span>`;
  const sides = isOwn ? Object.entries(mine.sides) : [];
  const behind = others.filter((bet) => bet !== seat);
  return html`
    <span class="amount"><b>${money(first, currency)}</b>
      ${sides.length > 1
        ? ` + ${money(sides.reduce((sum, [, stake]) => sum + stake, 0), currency)} side bets`
        : sides.map(([name, stake]) => ` + ${money(stake, currency)} ${sideTitle(name, table)}`)}
      ${!isOwn && mine.stake > 0 && ` + your ${money(mine.stake, currency)} behind`}
      ${behind.map((bet) => ` + ${money(bet.stake, currency)} ${who(bet.player, own)}`)}</span>`;
}

function BettingBox({ box, game }) {
  const view = boxForBets(box, game);
  const seat = view.others.find((bet) => bet.player === box.seat);
  return html`
    <div class="box lift-${box.number}" data-at=${box.number} role="group" id="box-${box.number}" tabindex="-1"
      aria-label=${`Box ${box.number}, ${box.seat ? who(box.seat, view.own) : "free"}`}>
      <${Marker} box=${box} facts=${view.facts} />
      <div class="spots"><${MainSpot} view=${view} game=${game} />
        <div class="beside">
          ${view.isOwn && view.sides.map((side) => html`<${SideSpot} key=${side.name} side=${side} view=${view} game=${game} />`)}
          ${(seat?.sides ?? []).map((side) => html`<${OtherSide} key=${side.name} side=${side} chips=${view.chips} />`)}
          <${BehindSpot} view=${view} game=${game} />
        </div></div>
      <${Amounts} view=${view} />
      ${view.sits
        ? html`<${SitPlate} box=${box} onSit=${() => sit(game, box)} />`
        : html`<${Plate} box=${box} own=${view.own} />`}
    </div>`;
}

export function BettingFelt({ game, known, children }) {
  const { table, facts, you } = known;
  return html`
    <div class="felt">
      ${children}
      <${BoxRow} table=${table} facts=${facts} own=${you?.name} betting onKeyDown=${(event) => arrowsMove(event, "button.spot", true)}>
        ${boxesInOrder(table.boxes, you?.name).map((box) => html`<${BettingBox} key=${box.number} box=${box} game=${game} />`)}
      <//>
      <${Print} felt=${facts.felt} />
      <${Call} known=${known} />
      <${Rack} count=${table.rack} /><${Shoe} count=${table.shoe} />
    </div>`;
}
