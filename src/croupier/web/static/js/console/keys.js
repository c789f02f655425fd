// The keys of the console: a rank and a suit are a card; letters are decisions where one is due.
import { onKeys } from "../kit/keys.js";
import { RANKS } from "./keypad.js";

export const KEYS = [
  ["A 2–9 T J Q K", "then s h d c: a card"], ["h s d p r f n", "where a decision or an answer is due"], ["0–9", "an amount, where one is due"], ["x", "the cutting card"],
  ["Enter", "what is due"], ["/", "the command line: 5h, 3 s, p1 bets 10 on 1, as at the terminal"], ["o", "orders"], ["arrows", "in the keypad"],
];

export const deskKeys = (desk) =>
  onKeys((event) => {
    const { table, you } = desk.known;
    const ui = desk.ui.get();
    if (!table || ui.sheet) return;
    const key = event.key.toLowerCase();
    const rank = event.key === "1" ? "T" : event.key.toUpperCase();
    const number = document.getElementById("number");
    if (event.key === "Enter" && !event.target.closest("button, a")) {
      desk.enterIfDue();
    } else if (key === "/") document.getElementById("command-line")?.focus();
    else if (key === "x") desk.cuttingCard();
    else if (key === "o") desk.ui.change({ orders: !ui.orders });
    else if (key === "?") desk.ui.change({ sheet: "keys" });
    else if (event.key === "Escape") desk.ui.change({ way: "dealt", rank: "", refusal: null, question: null, orders: false, drawer: false, misplaced: "" });
    else if (ui.rank && "shdc".includes(key)) desk.card(ui.rank + key);
    else if (table.due === "decision" && you?.choices?.some((one) => one.key === key)) desk.decide(key);
    else if (number) {
      // The digit goes into the field that has the focus when the key is down.
      if (/^\d$/.test(key)) number.focus();
      return;
    } else if (you?.desk && rank.length === 1 && RANKS.includes(rank)) desk.ui.change({ rank });
    else return;
    event.preventDefault();
  });
