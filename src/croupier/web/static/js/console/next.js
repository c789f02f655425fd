// What comes next, in a sentence; and the button that Enter presses.
import { html } from "../kit/html.js";
import { once } from "../kit/keys.js";
import { useStore } from "../kit/store.js";
import { Chips } from "../parts/clause.js";
import { Sentence } from "../parts/sentence.js";
import { dueOf } from "./due.js";

const LIES = "Press the hand on which it lies, or Escape.";

export function Next({ desk, known }) {
  const ui = useStore(desk.ui);
  const { enter } = known.table;
  const due = dueOf(known);
  const { question, refusal } = ui;
  const beneath = [known.you?.passed, known.you?.how].filter(Boolean).join(" · ");
  return html`
    <section class="next" aria-label="Next">
      <span class="next-word">${known.you?.desk ? "Next" : "Now"}</span>
      <div class="next-words"><h1><${Sentence} words=${due.words} /></h1>
        <p role="status">${question ? question.said.words : refusal ? html`<b class="lose">Refused:</b> ${refusal.words}` : ui.misplaced ? LIES : beneath}
          <${Chips} names=${((question?.said ?? refusal ?? due).clauses ?? []).slice(0, 2)} /></p></div>
      ${question
        ? html`<span class="answers"><button type="button" class="button" onClick=${once(() => desk.answer(true))}>Yes, do it</button>
            <button type="button" class="button quiet" onClick=${once(() => desk.answer(false))}>No</button></span>`
        : enter && known.you?.desk
          ? html`<button type="button" class="button primary" onClick=${once(() => desk.enter())}>${enter} <span class="key" aria-hidden="true">Enter</span></button>`
          : known.table.stage === "closed" && known.table.due === "nothing"
            ? html`<a class="button" href="/history/${known.facts.id}">History</a>`
            : known.you?.desk && html`<span class="enter-nothing">Enter does nothing here</span>`}
    </section>`;
}
