// The strip above the buttons: one sentence and its clause; in the colours of the law where it says why not.
import { html } from "../kit/html.js";
import { Chips } from "./clause.js";
import { Sentence } from "./sentence.js";

/** `at` is where the button stands that it speaks of, from 0 to 1. */
export function Strip({ bold, words, clauses = [], why = false, hint = false, at = null, title, children }) {
  const side = at === null ? "" : at < 0.34 ? "left" : at < 0.67 ? "middle" : "right";
  return html`
    <div class="strip ${why ? "why" : ""} ${hint ? "hint" : ""} ${side}" style=${{ "--notch": at ?? 0 }}>
      <span class="words" key=${words}>${bold && html`<b>${bold} </b>`}<${Sentence} words=${words} /></span>
      ${clauses.length > 0 && html`<${Chips} names=${clauses.slice(0, 2)} title=${title} />`}
      ${children}
      ${why && at !== null && html`<span class="notch"></span>`}
    </div>`;
}
