// A sentence of the server with its cards as tokens and its gains in colour.
import { html } from "../kit/html.js";
import { Token } from "./card.js";

const SUITS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
const PARTS = /((?:10|[2-9AJQK])[♠♥♦♣]|\+[$£][\d,.]*\d)/u;

export const toCard = (text) => `${text.startsWith("10") ? "T" : text[0]}${SUITS[text.at(-1)]}`;

export const Sentence = ({ words }) =>
  words.split(PARTS).map((part, at) => {
    if (at % 2 === 0) return part;
    return part[0] === "+" ? html`<b class="win">${part}</b>` : html`<${Token} card=${toCard(part)} />`;
  });
