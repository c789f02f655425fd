// Cards and numbers as they are read aloud.
const RANKS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king",
};
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const SMALL = [
  "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
const TENS = ["", "", "twenty", "thirty"];

export const cardName = (card) => `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
export const rankName = (card) => RANKS[card[0]];
export const suitName = (suit) => SUITS[suit];
export const rankSign = (card) => (card[0] === "T" ? "10" : card[0]);

export function numberName(number) {
  if (number < 20) return SMALL[number] ?? String(number);
  if (number > 39) return String(number);
  const rest = number % 10;
  return rest ? `${TENS[Math.floor(number / 10)]}-${SMALL[rest]}` : TENS[Math.floor(number / 10)];
}

export const listOf = (words, last = "and") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

export const aOrAn = (name) => `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a wager: perfect_pairs is Perfect Pairs. */
export const wagerName = (name) => name.split("_").map(capital).join(" ");
