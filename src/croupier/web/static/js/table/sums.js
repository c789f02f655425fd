// What moved in a round, read from the lines that settle: yours, others', the table's.
import { capital, wagerName } from "../kit/words.js";

const has = (net) => net !== undefined && net !== null;
export const settledLines = (lines) => lines.filter((line) => has(line.net) && line.player);

const isMain = (wager) => !wager || wager === "main";

export function placeOf(line, table, own) {
  if (!isMain(line.wager)) return table.sides?.find((side) => side.name === line.wager)?.title ?? wagerName(line.wager);
  const hands = table.boxes.find((box) => box.number === line.box)?.hands?.length ?? 1;
  const hand = hands > 1 && line.hand ? `hand ${line.hand}` : "";
  if (line.player === own) return capital(hand || `box ${line.box}`);
  return `Box ${line.box}${hand ? `, ${hand}` : ""} · ${line.player}`;
}

export function moved(lines, table, own) {
  const all = settledLines(lines).map((line) => ({
    title: placeOf(line, table, own), net: line.net, how: line.how || line.words, clauses: line.clauses ?? [], player: line.player,
    box: line.box, hand: isMain(line.wager) ? line.hand || 1 : 0,
  }));
  all.sort((a, b) => a.box - b.box || a.hand - b.hand);
  const mine = all.filter((row) => row.player === own);
  const others = all.filter((row) => row.player !== own);
  const sum = (rows) => rows.reduce((total, row) => total + row.net, 0);
  const named = others.map((row) => ({ ...row, title: row.title.includes("·") ? row.title : `Box ${row.box} · ${row.player}: ${row.title}` }));
  return { mine, others: named, own: sum(mine), table: -sum(all) };
}
