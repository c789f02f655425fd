// What Enter does at a table that waits for its dealer. Where a card, a number or a choice is wanted, nothing.
const CHORES = {
  opening: ["CheckCards", "All cards are there"], shuffle: ["Shuffle", "Shuffled"], cut: ["OfferCut", "Offer the cut"],
  dealer: ["Settle", "Settle"], settled: ["Collect", "Collect the cards"], closed: ["CheckCards", "All cards are there"],
};
const STAGES = { idle: ["OpenBetting", "Open the betting"], betting: ["AnnounceNoMoreBets", "No more bets"], offers: ["CloseOffers", "Close the offers"] };

export function enterOf(table) {
  if (table.due === "card" || table.due === "decision" || table.stage === "place" || (table.due === "cut" && table.on === "players")) return null;
  const found = table.due === "chore" ? CHORES[table.stage] : STAGES[table.stage];
  return found ? { command: { type: found[0] }, label: found[1] } : null;
}

export const wantsNumber = (table) => table.stage === "place" || table.due === "cut";
export const wantsBets = (table) => table.stage === "betting";
