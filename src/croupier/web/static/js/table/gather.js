// In the first deal the cards of a box are one line of the log; History shows every event singly.
export const FIRST_DEAL = "Initial deal";

const isDealt = (line) => line.event === "CardDealt" && line.phase === FIRST_DEAL && line.cards?.length === 1 && line.box !== undefined && line.box !== null && !line.refused;

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const pretty = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

export function gathered(lines, facts) {
  const found = [];
  const byBox = new Map();
  for (const line of lines) {
    const key = `${line.box}-${line.hand ?? 0}`;
    const before = isDealt(line) ? byBox.get(key) : null;
    if (before) {
      before.cards = [...before.cards, ...line.cards];
      before.clauses = [...new Set([...(before.clauses ?? []), ...(line.clauses ?? [])])];
    } else {
      const copy = { ...line };
      if (isDealt(line)) byBox.set(key, copy);
      found.push(copy);
    }
  }
  const place = (line) => (line.box === 0 ? `the ${facts.dealer.toLowerCase()}` : `box ${line.box}`);
  return found.map((line) =>
    line.cards?.length > 1 && isDealt({ ...line, cards: [line.cards[0]] }) ? { ...line, words: `${line.cards.map(pretty).join(" ")} to ${place(line)}` } : line);
}
