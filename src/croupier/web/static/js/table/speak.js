// What the live regions say: a sentence an event for everybody, and what is asked of you.
import { assertive, polite, prepareRegions } from "../kit/announce.js";
import { capital, cardName, listOf, numberName, rankName } from "../kit/words.js";
import { spokenClauses } from "../parts/clause.js";
import { toldTo } from "../parts/log.js";
import { FIRST_DEAL } from "./gather.js";

const CARDS = /(10|[2-9AJQK])([♠♥♦♣])/gu;
const SUITS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
export const aloud = (words) =>
  words.replace(CARDS, (_, rank, suit) => cardName(`${rank === "10" ? "T" : rank}${SUITS[suit]}`));
const sentence = (words) => `${capital(aloud(words))}${/[.!?]$/.test(words) ? "" : "."}`;

/** In the first deal cards are told by box, and only your own. */
function firstDeal(lines, own, table) {
  const boxes = new Set(lines.filter((line) => line.box > 0 && line.cards?.length).map((line) => line.box));
  return table.boxes
    .filter((box) => boxes.has(box.number) && (box.decider || box.seat) === own && box.hands?.length)
    .map((box) => `Your cards: ${listOf(box.hands[0].cards.map(cardName))}, ${box.hands[0].words}.`);
}

function tell(lines, table, own) {
  const dealt = lines.filter((line) => line.cards?.length && line.phase === FIRST_DEAL);
  for (const words of firstDeal(dealt, own, table)) polite(words);
  for (const line of lines) {
    const isDeal = dealt.includes(line) && line.box !== 0;
    if (!isDeal && !line.refused) polite(sentence(toldTo(line, own)));
  }
}

/** `box 4, hand 2 of 3: eight and eight, sixteen, against a king`, where a hand of yours is in turn. */
function turnQuestion(table, you) {
  if (!table.turn || !table.players?.includes(you.name)) return "";
  const [number, hand] = table.turn;
  const hands = table.boxes.find((box) => box.number === number).hands;
  const { cards, total, soft } = hands[hand - 1];
  const which = hands.length > 1 ? `, hand ${hand} of ${hands.length}` : "";
  const card = table.dealer?.cards?.[0];
  return `box ${number}${which}: ${listOf(cards.map(rankName))}, ${soft ? "soft " : ""}${numberName(total)}${card ? `, against a ${rankName(card)}` : ""}`;
}

/** The question, and what is open. */
function turnWords(table, you) {
  const open = (you.choices ?? []).filter((choice) => !choice.closed).map((choice) => choice.label.toLowerCase());
  const words = turnQuestion(table, you);
  const question = words ? `Your turn. ${sentence(words)}` : sentence(you.asked);
  return `${question}${open.length ? ` ${capital(listOf(open, "or"))}.` : ""}`;
}

export function speakFrames(game) {
  prepareRegions();
  let asked = "";
  let wasLost = false;
  game.link.onFrame((frame) => {
    const { table, you } = game.known;
    if (frame.type === "news") tell(frame.lines, table, you?.name);
    if (frame.type === "snapshot" && wasLost) {
      assertive("Back.");
      wasLost = false;
    }
    const now = you?.asked ? `${you.asked}${table.turn ?? ""}${(you.choices ?? []).length}` : "";
    if (now && now !== asked && you.choices?.length) assertive(turnWords(table, you));
    asked = now;
  });
  game.link.line.watch(({ state }) => {
    if (state === "lost" && !wasLost) {
      wasLost = true;
      assertive("Connection lost.");
    }
  });
  let told = null;
  game.ui.watch(({ refusal }) => {
    const how = refusal?.why === "stale" ? "" : "Refused: ";
    if (refusal && refusal !== told) assertive(`${how}${sentence(refusal.said.words)}${spokenClauses(refusal.said.clauses)}`);
    told = refusal;
  });
  let warned = 0;
  setInterval(() => {
    const { table, you, skew } = game.known;
    const until = table?.clock?.until;
    if (!until || !you?.asked || warned === until) return;
    const left = until - (Date.now() + skew);
    if (left > 0 && left < 5000) {
      warned = until;
      assertive("Five seconds.");
    }
  }, 500);
}
