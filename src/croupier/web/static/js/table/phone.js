// The felt of a phone: other boxes as tiles, the own box below them.
import { html, useEffect, useRef } from "../kit/html.js";
import { gain, money, spokenMoney, tone } from "../kit/money.js";
import { capital } from "../kit/words.js";
import { boxLabel, Foot, footOf, isFree, ownerOf, Plate, sideTitle, who } from "../parts/box.js";
import { Tokens } from "../parts/card.js";
import { Stack } from "../parts/chip.js";
import { DealerPlace, Shoe } from "../parts/felt.js";
import { Hand, inOrder, isSettled, stakeOf } from "../parts/hand.js";
import { isPreparing, Opening } from "../parts/opening.js";
import { beingPlaced, boxForBets, Call, closedWord, layOrWhy, MainSpot, SideSpot, sit } from "./bettingfelt.js";

const Head = ({ box, own }) => html`
  <span class="head"><span class="disc">${box.number}</span><span class="name">${ownerOf(box) ? who(ownerOf(box), own) : "free"}</span></span>`;

/** So many tiles stand side by side; with more of them everything else is drawn smaller, so that nothing is out of sight. */
const ONE_ROW = 4;

/** Of a total that a tile has room for at full size. */
const MOST_LETTERS = 9;

function PlayTile({ box, table, facts, own, dense }) {
  const { currency } = facts;
  const hands = box.hands ?? [];
  const decider = ownerOf(box);
  const inTurn = hands.some((hand) => hand.state === "turn");
  const stakes = hands.map((hand) => inOrder(hand.stakes, own, decider));
  const deciders = stakes.flat().filter((stake) => stake.player === decider);
  const nets = deciders.filter(isSettled).map((stake) => stake.net);
  const sum = nets.reduce((all, net) => all + net, 0);
  const isDone = nets.length === deciders.length;
  const stoodOff = hands.length === 1 && sum === 0 && stakes[0][0] ? stakeOf(stakes[0][0]) : 0;
  const bets = stakes.flat().map((stake) => `${money(stakeOf(stake), currency)}${stake.doubled ? " doubled" : ""}`).join(" + ");
  const totals = hands.map((hand) => hand.words).join(" · ");
  const isLong = totals.length > MOST_LETTERS;
  return html`
    <div class="tile ${inTurn ? "in-turn" : ""}" role="group" tabindex="0" id="box-${box.number}" aria-label=${boxLabel(box, table, own, currency)}>
      <${Head} box=${box} own=${own} />
      ${(!dense || hands.length === 1) && hands.map((hand, at) => html`<${Tokens} key=${at} cards=${hand.cards} />`)}
      ${!nets.length
        ? html`<span class="sum ${isLong ? "long" : ""}">${totals}</span><span class="below">${bets || (box.bets ?? []).map((bet) => money(bet.stake, currency)).join(" + ") || "no bet"}</span>`
        : html`
          ${isDone && html`<span class="sum ${tone(sum)} ${stoodOff ? "long" : ""}">${stoodOff ? `= ${money(stoodOff, currency)} back` : gain(sum, currency)}</span>`}
          <span class="below">${hands.map((hand) => hand.words).join(", ")}</span>`}
    </div>`;
}

function OwnHands({ box, facts, own, dense }) {
  const ref = useRef(null);
  const turn = box.hands.findIndex((hand) => hand.state === "turn");
  useEffect(() => {
    const hand = ref.current?.querySelector(".in-turn");
    if (hand) ref.current.scrollLeft = hand.offsetLeft - (ref.current.clientWidth - hand.offsetWidth) / 2;
  }, [turn]);
  return html`
    <div class="hands" ref=${ref} role="group" tabindex="0" aria-label="Your hands">${box.hands.map((hand, at) => html`
      <${Hand} key=${at} hand=${hand} number=${at + 1} of=${box.hands.length} own=${own} decider=${box.decider || box.seat} facts=${facts}
        size=${hand.state !== "turn" && box.hands.length > 1 ? "s" : dense ? "m" : "xl"} />`)}</div>`;
}

const SitTile = ({ box, onSit }) => html`
  <button type="button" class="tile" id="box-${box.number}" onClick=${() => onSit(box)}>
    <span class="aloud">Sit at box ${box.number}</span><span class="in-tile" aria-hidden="true"><${Head} box=${box} /><span class="act">Sit</span></span></button>`;

/** The dealer's row, which is kept free before a card lies there: the shoe stands at its side. */
function Dealer({ known: { table, facts }, dense }) {
  if (isPreparing(table)) return html`<${Opening} table=${table} />`;
  if (!table.dealer?.cards?.length) return html`<div class="dealer-place"></div>`;
  return html`<${DealerPlace} dealer=${table.dealer} name=${facts.dealer} size=${dense ? "s" : "m"} />`;
}

/** The own box that is drawn large: the one in turn, else one with cards; what else is one's own is a tile. */
function ownPlace(table, own) {
  const mine = table.boxes.filter((box) => own && ownerOf(box) === own);
  const inTurn = (box) => box.hands?.some((hand) => hand.state === "turn");
  return mine.find(inTurn) ?? mine.find((box) => box.hands?.length) ?? mine[0];
}

export function PhonePlayFelt({ known, onSit, crowded = false, children }) {
  const { table, facts, you } = known;
  const own = you?.name;
  const box = ownPlace(table, own);
  const others = table.boxes.filter((one) => one !== box && (onSit || one.seat === own || one.hands?.length || one.bets?.length)).reverse();
  const dense = Boolean(box) && (crowded || others.length > ONE_ROW);
  return html`
    <div class="felt ${dense ? "dense" : ""}">${children}
      ${box && html`
        <div class="own-place" key=${box.number} role="group" tabindex="0" id="box-${box.number}" aria-label=${boxLabel(box, table, own, facts.currency)}>
          ${box.hands?.length > 0 && html`<${OwnHands} box=${box} facts=${facts} own=${own} dense=${dense} />`}
          <${Plate} box=${box} own=${own} /><${Foot} parts=${footOf(box, table, own, facts.currency)} currency=${facts.currency} />
        </div>`}
      <div class="tiles">${others.map((one) => onSit && isFree(one) ? html`<${SitTile} key=${one.number} box=${one} onSit=${onSit} />` : html`<${PlayTile} key=${one.number} box=${one} table=${table} facts=${facts} own=${own} dense=${dense} />`)}</div>
      <div class="dealer-row"><${Dealer} known=${known} dense=${dense} /><${Shoe} count=${table.shoe} /></div>
    </div>`;
}

function BettingTile({ box, game }) {
  const view = boxForBets(box, game);
  const { others, mine, currency, chips, spot, own } = view;
  const sum = others.reduce((all, bet) => all + bet.stake, 0);
  const lies = sum ? `${money(sum, currency)}${others.length > 1 ? ` · ${others.length} bets` : ""}` : box.seat ? "no bet yet" : "";
  const act = view.sits ? "Sit" : isFree(box) && !mine.stake ? "" : mine.stake ? `your ${money(mine.stake, currency)}` : spot?.closed ? capital(closedWord(view)) : "Behind";
  const press = () => (view.sits ? sit(game, box) : layOrWhy(game, view));
  const label = view.sits ? `Sit at box ${box.number}` : !act ? `Box ${box.number}, free` : `Bet behind ${box.seat || `box ${box.number}`} on box ${box.number}, ${mine.stake ? `your ${spokenMoney(mine.stake, currency)}` : "nothing yet"}${beingPlaced(view.pending)}`;
  return html`
    <button type="button" class="tile" id="box-${box.number}" aria-disabled=${spot?.closed && !view.sits ? "true" : null} onClick=${own && act ? press : null}>
      <span class="aloud">${label}</span><span class="in-tile" aria-hidden="true"><${Head} box=${box} own=${own} />
      ${sum > 0 && html`<${Stack} amount=${sum} chips=${chips} radius=${14} />`}
      <span>${lies}</span>${act && html`<span class="act ${mine.stake ? "laid" : ""}">${act}</span>`}</span>
    </button>`;
}

function OwnSpots({ box, game }) {
  const view = boxForBets(box, game);
  const { mine, currency, table } = view;
  return html`
    <div class="own-place" role="group" id="box-${box.number}" aria-label=${`Box ${box.number}, you`}>
      <div class="spots">
        <div class="spot-and-sum"><${MainSpot} view=${view} game=${game} radius=${24} /><span class="amount"><b>${mine.stake > 0 ? money(mine.stake, currency) : ""}</b></span></div>
        ${view.sides.map((side) => html`
          <div class="spot-and-sum" key=${side.name}><${SideSpot} side=${side} view=${view} game=${game} radius=${19} />
            <span class="amount">${mine.sides[side.name] > 0 && html`<b>${money(mine.sides[side.name], currency)}</b> `}${sideTitle(side.name, table)}</span></div>`)}
      </div>
      <${Plate} box=${box} own=${view.own} />
    </div>`;
}

export function PhoneBettingFelt({ game, known, children }) {
  const { table, you } = known;
  const mine = table.boxes.filter((box) => you?.name && box.seat === you.name);
  const others = table.boxes.filter((box) => !mine.includes(box)).reverse();
  return html`
    <div class="felt">${children}
      ${mine.length > 0 && html`<div class="own-places">${mine.map((box) => html`<${OwnSpots} key=${box.number} box=${box} game=${game} />`)}</div>`}
      <div class="tiles betting">${others.map((box) => html`<${BettingTile} key=${box.number} box=${box} game=${game} />`)}</div>
      <${Call} known=${known} />
    </div>`;
}
