// The keys of the console: a rank and a suit are a card; letters are decisions where one is due.
import { onKeys } from "../kit/keys.js";
import { DECISIONS, RANKS } from "./keypad.js";

export const KEYS = [
  ["A 2–9 T J Q K", "then s h d c: a card"], ["h s d p r f", "where a decision is due"], ["x", "the cutting card"],
  ["Enter", "what is due"], ["/", "the command line"], ["o", "orders"], ["arrows", "in the keypad"],
];

export const deskKeys = (desk) =>
  onKeys((event) => {
    const { table } = desk.known;
    const ui = desk.ui.get();
    if (!table || ui.sheet) return;
    const key = event.key.toLowerCase();
    const rank = event.key === "1" ? "T" : event.key.toUpperCase();
    if (event.key === "Enter" && !event.target.closest("button, a")) {
      desk.enterIfDue();
    } else if (key === "/") document.getElementById("command-line")?.focus();
    else if (key === "x") desk.type("cut");
    else if (key === "o") desk.ui.change({ orders: !ui.orders });
    else if (key === "?") desk.ui.change({ sheet: "keys" });
    else if (event.key === "Escape") desk.ui.change({ way: "dealt", rank: "", refusal: null, question: null, orders: false, drawer: false, misplaced: "" });
    else if (ui.rank && "shdc".includes(key)) desk.card(ui.rank + key);
    else if (table.due === "decision" && DECISIONS.some(([letter]) => letter === key)) desk.decide(key);
    else if (rank.length === 1 && RANKS.includes(rank) && table.due === "card") desk.ui.change({ rank });
    else return;
    event.preventDefault();
  });
