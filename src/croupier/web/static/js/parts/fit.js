// How boxes are drawn in the room there is: fans, then rows for split hands, then smaller cards, then a row that scrolls.
const SIZES = { l: [84, 35], m: [64, 27], n: [54, 24], s: [44, 21] };
const GAP = 6;
const BETWEEN_HANDS = 18;
const LEAST_BOX = 96;
const VACANT_BOX = 76;
/** A free box with its words beside its number. */
const VACANT_IN_WORDS = 108;
const ROW = 122;
const MOST_AT_FULL_STEP = 6;

function fanWidth(cards, size) {
  const [width, step] = SIZES[size];
  if (cards > MOST_AT_FULL_STEP) return 1.5 * (width + step);
  return width + Math.max(0, cards - 1) * step;
}

function handWidth(hand, size) {
  const inTurn = hand.state === "turn";
  if (hand.removed) return hand.cards.length * 31;
  return fanWidth(hand.cards.length, inTurn ? "l" : size) + (inTurn ? 32 : 0);
}

/** What a box needs at the least to hold its cards side by side. */
export function boxWidth(box, size, manner, [taken, free] = [LEAST_BOX, VACANT_BOX]) {
  const hands = box.hands ?? [];
  if (hands.length > 1 && manner === "rows") {
    const turn = hands.find((hand) => hand.state === "turn");
    return ROW + (turn ? handWidth(turn, size) + BETWEEN_HANDS : 0);
  }
  const all = hands.reduce((sum, hand) => sum + handWidth(hand, size), 0) + BETWEEN_HANDS * Math.max(0, hands.length - 1);
  return Math.max(box.seat || box.bets?.length ? taken : free, all);
}

const LEVELS = [["m", "fans"], ["m", "rows"], ["n", "rows"], ["s", "rows"]];
/** The least boxes, where one is taken and where it is free, when the next thing is to scroll. */
const SQUEEZED = [82, 68];

export function fit(boxes, room) {
  const free = boxes.filter((box) => !box.seat && !box.bets?.length).length;
  for (const [size, manner] of LEVELS) {
    const wanted = boxes.reduce((sum, box) => sum + boxWidth(box, size, manner) + GAP, -GAP);
    const tight = wanted + free * (VACANT_IN_WORDS - VACANT_BOX) > room;
    if (wanted <= room) return { size, manner, scrolls: false, tight };
  }
  const squeezed = boxes.reduce((sum, box) => sum + boxWidth(box, "s", "rows", SQUEEZED) + GAP, -GAP) <= room;
  return { size: "s", manner: "rows", scrolls: !squeezed, squeezed, tight: true };
}
