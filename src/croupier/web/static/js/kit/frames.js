// What the page knows of a table, as a pure function of the frames it was sent.
export const NOTHING = { facts: null, table: null, you: null, lines: [], n: 0, fresh: 0, skew: 0, bye: null, gap: false };

/** Lines of this round only: a new round begins a new page of the log. */
const ofRound = (lines, table, more) => {
  const all = [...lines, ...more];
  const start = all.findLastIndex((line) => line.event === "BettingOpened");
  return table.stage === "betting" && start > 0 ? all.slice(start) : all;
};

const strip = ({ type: _, reply: __, ...you }) => you;

export function apply(known, frame, clock = Date.now()) {
  switch (frame.type) {
    case "snapshot":
      return {
        ...known, facts: frame.facts, table: frame.table, lines: frame.lines ?? [], n: frame.n, fresh: 0,
        you: strip(frame.you), skew: frame.table.now - clock, gap: false, bye: null,
      };
    case "news": {
      if (frame.before !== known.n) return { ...known, gap: true };
      const table = frame.table ?? known.table;
      return {
        ...known, n: frame.n, table, lines: ofRound(known.lines, table, frame.lines),
        fresh: frame.lines.length, skew: frame.table ? frame.table.now - clock : known.skew,
      };
    }
    case "you":
      return { ...known, you: strip(frame) };
    case "pong":
      return { ...known, skew: frame.now - clock };
    case "bye":
      return { ...known, bye: { why: frame.why, words: frame.words } };
    default:
      return known;
  }
}
