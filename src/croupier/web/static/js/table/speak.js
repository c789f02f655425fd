// What the live regions say: a sentence an event for everybody, and what is asked of you.
import { assertive, polite, prepareRegions } from "../kit/announce.js";
import { secondsUntil } from "../kit/clock.js";
import { spokenMoney } from "../kit/money.js";
import { aOrAn, capital, cardName, listOf, numberName, rankName } from "../kit/words.js";
import { spokenClauses } from "../parts/clause.js";
import { toldTo } from "../parts/log.js";
import { FIRST_DEAL } from "./gather.js";
import { idOf, UNREFUSED } from "./stages.js";
import { moved } from "./sums.js";

const CARDS = /(10|[2-9AJQK])([♠♥♦♣])/gu;
const SUITS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
export const aloud = (words) =>
  words.replace(CARDS, (_, rank, suit) => cardName(`${rank === "10" ? "T" : rank}${SUITS[suit]}`));
const sentence = (words) => `${capital(aloud(words))}${/[.!?]$/.test(words) ? "" : "."}`;
const inWords = (total) => total.replace(/\d+/g, (number) => numberName(Number(number)));

/** In the first deal cards are told by box, and only your own. */
function firstDeal(lines, own, table) {
  const boxes = new Set(lines.filter((line) => line.box > 0 && line.cards?.length).map((line) => line.box));
  return table.boxes
    .filter((box) => boxes.has(box.number) && (box.decider || box.seat) === own && box.hands?.length)
    .map((box) => `Your cards: ${[...box.hands[0].cards.map(cardName), inWords(box.hands[0].words)].join(", ")}.`);
}

/** `Box 1 draws seven of clubs: twenty-one, paid.` The line has its total behind a colon. */
function drawn(line, { table, facts }) {
  const cards = listOf(line.cards.map(cardName));
  if (!line.box && line.phase === FIRST_DEAL) return `${capital(facts.dealer)} shows the ${cards}.`;
  const total = line.words.match(/: (.+)$/)?.[1] ?? "";
  const paid = line.box && table.boxes.find((box) => box.number === line.box)?.hands?.[line.hand - 1]?.state === "paid";
  const place = line.hand > 1 ? `${line.box}.${line.hand}` : line.box;
  return `${line.box ? `Box ${place}` : capital(facts.dealer)} draws ${cards}${total && `: ${inWords(total)}`}${paid ? ", paid" : ""}.`;
}

function betsAreOpen({ table, skew }) {
  const seconds = table.clock ? secondsUntil(table.clock, skew) : 0;
  return `Place your bets.${seconds ? ` No more bets in ${seconds} second${seconds === 1 ? "" : "s"}.` : ""}`;
}

/** That a card is asked for is said with the card that comes. */
const UNSAID = ["CardCalled"];

function lineAloud(line, known) {
  if (line.event === "BettingOpened") return betsAreOpen(known);
  if (line.event === "CardDealt" && line.cards?.length && line.box !== null) return drawn(line, known);
  if (line.event === "HandSurrendered") return `Box ${line.box} surrenders.`;
  return sentence(toldTo(line, known.you?.name));
}

function tell(lines, known) {
  const { table, you } = known;
  const dealt = lines.filter((line) => line.cards?.length && line.phase === FIRST_DEAL);
  for (const words of firstDeal(dealt, you?.name, table)) polite(words);
  for (const line of lines) {
    const isDeal = dealt.includes(line) && line.box !== 0;
    if (!isDeal && !line.refused && !UNSAID.includes(line.event)) polite(lineAloud(line, known));
  }
}

/** What the round brought to you, when it is settled. */
function tellSum({ table, you, facts, lines }) {
  const { mine, own } = moved(lines, table, you?.name);
  if (!mine.length) return;
  polite(own ? `You ${own > 0 ? "won" : "lost"} ${spokenMoney(own, facts.currency)} this round.` : "You are even this round.");
}

/** `box 4, hand 2 of 3: eight and eight, sixteen, against a king`, where a hand of yours is in turn. */
function turnQuestion(table, you) {
  if (!table.turn || !table.players?.includes(you.name)) return "";
  const [number, hand] = table.turn;
  const hands = table.boxes.find((box) => box.number === number).hands;
  const { cards, total, soft } = hands[hand - 1];
  const which = hands.length > 1 ? `, hand ${hand} of ${hands.length}` : "";
  const card = table.dealer?.cards?.[0];
  return `box ${number}${which}: ${listOf(cards.map(rankName))}, ${soft ? "soft " : ""}${numberName(total)}${card ? `, against ${aOrAn(rankName(card))}` : ""}`;
}

/** The question, and what is open. */
function turnWords(table, you) {
  const open = (you.choices ?? []).filter((choice) => !choice.closed).map((choice) => choice.label.toLowerCase());
  const words = turnQuestion(table, you);
  const question = words ? `Your turn. ${sentence(words)}` : sentence(you.asked);
  return `${question}${open.length ? ` ${capital(listOf(open, "or"))}.` : ""}`;
}

const withClause = (game, said) => `${sentence(said.words)}${said.clauses?.length ? `${spokenClauses(said.clauses, game.known.facts?.book)}.` : ""}`;

/** `Refused: stand. A hard total under 12 must be drawn to. Clause 10.2(c).` */
function refusedWords(game, { what, why, said }) {
  if (UNREFUSED.has(why)) return withClause(game, said);
  const choice = game.known.you?.choices?.find((one) => idOf(one) === what);
  return `Refused: ${choice ? `${choice.label.toLowerCase()}. ` : ""}${withClause(game, said)}`;
}

export function speakFrames(game) {
  prepareRegions();
  let asked = "";
  let wasLost = false;
  game.link.onFrame((frame, before) => {
    const { table, you } = game.known;
    if (frame.type === "news") tell(frame.lines, game.known);
    if (frame.type === "news" && table.stage === "settled" && before.table?.stage !== "settled") tellSum(game.known);
    if (frame.type === "snapshot" && wasLost) {
      assertive("Back.");
      wasLost = false;
    }
    if (frame.type !== "you" && frame.type !== "snapshot") return; // the table is told before it is known who is asked
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
  let said = null;
  game.ui.watch(({ refusal, told }) => {
    const now = refusal ?? told;
    if (now && now !== said) assertive(refusal ? refusedWords(game, refusal) : withClause(game, told));
    said = now;
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
