// A card, a fan of cards, and the token that stands for a card in running text.
import { html } from "../kit/html.js";
import { cardName, rankSign } from "../kit/words.js";
import { SPRITE } from "./icon.js";

/** One drawing of 76 by 106 for every size. */
export function Card({ card, order = 0 }) {
  const rank = rankSign(card);
  const squeezed = rank === "10" ? { textLength: 25, lengthAdjust: "spacingAndGlyphs" } : {};
  return html`
    <svg class="card suit-${card[1]}" viewBox="0 0 76 106" role="img" aria-label=${cardName(card)} style=${{ "--order": order }}>
      <rect class="face" x=".5" y=".5" width="75" height="105" rx="7.5" />
      <text x="6" y="28" ...${squeezed}>${rank}</text>
      <use href="${SPRITE}#${card[1]}" x="6.5" y="34" width="18" height="18" />
      <use href="${SPRITE}#${card[1]}" x="29" y="56" width="40" height="40" />
    </svg>`;
}

const MOST_AT_FULL_STEP = 6;

export function Fan({ cards, size, dimmed = false, children }) {
  const tight = cards.length > MOST_AT_FULL_STEP;
  return html`
    <div class="fan size-${size} ${tight ? "tight" : ""} ${dimmed ? "dimmed" : ""}" style=${{ "--cards": cards.length }}>
      ${cards.map((card, at) => html`<${Card} key=${`${at}${card}`} card=${card} order=${at} />`)}
      ${children}
    </div>`;
}

export const Token = ({ card }) => html`
  <span class="token suit-${card[1]}" role="img" aria-label=${cardName(card)}>
    ${rankSign(card)}<svg aria-hidden="true"><use href="${SPRITE}#${card[1]}" /></svg>
  </span>`;

export const Tokens = ({ cards, removed = false }) => html`
  <span class="tokens ${removed ? "removed" : ""}">${cards.map((card, at) => html`<${Token} key=${at} card=${card} />`)}</span>`;
