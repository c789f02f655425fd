// What Enter does at a table that waits for its dealer, by the server's word, and what the button for it is called.
import { capital } from "../kit/words.js";

const LABELS = {
  "they are shuffled": "Shuffled", "it is offered": "Offer the cut", "place your bets": "Open the betting",
  "the offers are closed": "Close the offers", collect: "Collect the cards",
};

/** Empty where a card, a number or a choice is wanted: Enter does nothing there. */
export const enterLabel = ({ enter = "" }) => LABELS[enter] ?? capital(enter);

export const wantsNumber = ({ stage, enter }) => stage === "place" || (stage === "cut" && !enter);
export const wantsBets = (table) => table.stage === "betting";
