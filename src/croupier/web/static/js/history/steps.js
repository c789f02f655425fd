// A round as steps: where the reader stands, what has moved by then, and the phases of its timeline.
const has = (net) => net !== undefined && net !== null;

export const tableAt = (round, step) => (step === 0 ? round.before : round.steps[step - 1].table);

/** What each player has won or lost after so many steps, and the table against them. */
export function sumsAfter(round, step) {
  const sums = new Map();
  for (const { line } of round.steps.slice(0, step)) {
    if (line.player && has(line.net)) sums.set(line.player, (sums.get(line.player) ?? 0) + line.net);
  }
  const table = -[...sums.values()].reduce((all, net) => all + net, 0);
  return { players: [...sums].sort(([a], [b]) => a.localeCompare(b)), table };
}

export function phasesOf(steps) {
  const phases = [];
  steps.forEach(({ line }, at) => {
    if (phases.at(-1)?.name !== line.phase) phases.push({ name: line.phase, first: at + 1, count: 0 });
    phases.at(-1).count += 1;
  });
  return phases;
}

export const kindOf = (line) => (line.refused ? "refused" : has(line.net) || line.moved?.length ? "money" : "event");
