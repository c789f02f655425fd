// Which bar and which felt a moment asks for. Read from the frames alone.
export const TURN_KEYS = ["h", "s", "d", "p", "r"];
export const TURN_NAMES = { h: "Hit", s: "Stand", d: "Double", p: "Split", r: "Surrender" };

/** Why something did nothing without anybody having refused it. */
export const UNREFUSED = new Set(["stale", "lost"]);

const ANSWERS = new Set(["Ride", "Stay"]);

/** Two boxes of a player may be offered the same: a choice is its key and its place. */
export const idOf = ({ key, command }) => [key, command?.box, command?.hand].filter(Boolean).join("-");

/** betting, settlement, answers (of co-bettors), offers (the cut too), turn, closed, or waiting. */
export function momentOf({ table, you }) {
  const choices = you?.choices ?? [];
  const types = choices.map((choice) => choice.command.type);
  if (table.stage === "betting" || table.stage === "closed") return table.stage;
  if (table.stage === "settled") return "settlement";
  if (types.some((type) => ANSWERS.has(type))) return "answers";
  if (table.stage === "offers" && choices.length) return "offers";
  if (choices.some((choice) => TURN_KEYS.includes(choice.key))) return "turn";
  return choices.length ? "offers" : "waiting";
}

/** Who has a name here and is not excluded may take a box. */
export const maySit = (you) => Boolean(you?.roles?.includes("player") && !you.excluded);
export const seatsOf = (table, name) => table.boxes.filter((box) => name && box.seat === name);
export const betsOf = (table, name) => table.boxes.filter((box) => box.bets?.some((bet) => bet.player === name));
export const isWatching = ({ table, you }) => !seatsOf(table, you?.name).length && !betsOf(table, you?.name).length;
