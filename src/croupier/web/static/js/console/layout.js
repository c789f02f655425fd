// The table from the dealer's side: box 1 at the left, the dealer below.
import { html } from "../kit/html.js";
import { money } from "../kit/money.js";
import { useStore } from "../kit/store.js";
import { capital } from "../kit/words.js";
import { Plate, boxLabel, Foot, footOf, Marker, sideShort } from "../parts/box.js";
import { Fan, Tokens } from "../parts/card.js";
import { handLabel, stakeOf, Total } from "../parts/hand.js";
import { isPreparing, Opening } from "../parts/opening.js";
import { placeOf } from "./desk.js";

function DeskHand({ hand, box, at, facts, onLie }) {
  const label = handLabel(hand, { number: at + 1, of: box.hands.length, own: "", currency: facts.currency });
  const body = html`
    ${hand.removed ? html`<${Tokens} cards=${hand.cards} removed />` : html`<${Fan} cards=${hand.cards} size="n" />`}<${Total} hand=${hand} />`;
  const kinds = `hand ${hand.state === "turn" ? "in-turn" : ""}`;
  return onLie
    ? html`<button type="button" class="${kinds} lies" onClick=${() => onLie(placeOf(box.number, at + 1))}>
        <span class="aloud">It lies on: ${label}</span><span class="in-lies" aria-hidden="true">${body}</span></button>`
    : html`<div class=${kinds} role="group" aria-label=${label}>${body}</div>`;
}

const LiesHere = ({ onPress, place }) => html`
  <button type="button" class="button small" aria-label=${`It lies here, ${place}`} onClick=${onPress}>It lies here</button>`;

function DeskBox({ box, table, facts, onLie }) {
  const stakes = box.hands?.length ? box.hands.map((hand) => (hand.stakes ?? []).map((stake) => money(stakeOf(stake), facts.currency)).join(" + ")) : (box.bets ?? []).map((bet) => money(bet.stake, facts.currency));
  const free = !box.seat && !box.bets?.length;
  const hands = box.hands ?? [];
  return html`
    <div class="desk-box ${hands.some((hand) => hand.state === "turn") ? "turn" : ""}" role="group" aria-label=${boxLabel(box, table, "", facts.currency)}>
      <div class="desk-place">
        <${Marker} box=${box} facts=${facts} />
        <div class="hands">${hands.map((hand, at) => html`<${DeskHand} key=${at} hand=${hand} box=${box} at=${at} facts=${facts} onLie=${onLie} />`)}
          ${onLie && !hands.length && html`<${LiesHere} onPress=${() => onLie(`${box.number}`)} place=${`box ${box.number}`} />`}</div>
        ${!free && html`<span class="amount"><b>${stakes.join(" · ")}</b></span>`}
        ${free ? html`<span class="plate vacant"><span class="disc">${box.number}</span>free</span>` : html`<${Plate} box=${box} own="" />`}
      </div>
      <${Foot} parts=${footOf(box, table, "", facts.currency, sideShort)} currency=${facts.currency} />
    </div>`;
}

/** The dealer's place below the boxes; before the first card what prepares the shoe is ticked there. */
function DeskDealer({ table, facts, onLie }) {
  if (isPreparing(table)) return html`<${Opening} table=${table} />`;
  const cards = table.dealer?.cards ?? [];
  return html`
    <div class="desk-dealer"><span>${capital(facts.dealer)}</span>${cards.length > 0 && html`<${Fan} cards=${cards} size="n" />`}<b>${table.dealer?.words ?? ""}</b>
      ${onLie && html`<button type="button" class="button small" onClick=${() => onLie("dealer")}>It lies here</button>`}</div>`;
}

export function DeskTable({ desk, known: { table, facts } }) {
  const { misplaced } = useStore(desk.ui);
  const onLie = misplaced ? (place) => desk.lieOn(place) : null;
  return html`
    <div class="felt desk-felt">
      <div class="desk-boxes">${table.boxes.map((box) => html`<${DeskBox} key=${box.number} box=${box} table=${table} facts=${facts} onLie=${onLie} />`)}</div>
      <${DeskDealer} table=${table} facts=${facts} onLie=${onLie} />
    </div>`;
}
