// In the first deal the cards of a box are one line of the log; History shows every event singly.
export const FIRST_DEAL = "Deal";

const isDealt = (line) => line.event === "CardDealt" && line.phase === FIRST_DEAL && line.cards?.length === 1 && line.box !== undefined && line.box !== null && !line.refused;

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const pretty = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

/** The sentence of one card told of all of them: each begins with its card. */
const withCards = (words, cards) => words?.replace(/^\S+/, cards.map(pretty).join(" "));

/** What a player brings to the table is told by the purse. */
export const isTold = (line) => line.event !== "Bring";

export function gathered(lines) {
  const found = [];
  const byBox = new Map();
  for (const line of lines.filter(isTold)) {
    const key = `${line.box}-${line.hand ?? 0}`;
    const before = isDealt(line) ? byBox.get(key) : null;
    if (before) {
      before.cards = [...before.cards, ...line.cards];
      before.clauses = [...new Set([...(before.clauses ?? []), ...(line.clauses ?? [])])];
      before.words = withCards(before.words, before.cards);
      before.yours = withCards(before.yours, before.cards);
    } else {
      const copy = { ...line };
      if (isDealt(line)) byBox.set(key, copy);
      found.push(copy);
    }
  }
  return found;
}
