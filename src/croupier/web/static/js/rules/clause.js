// One clause on its page: number, restatement, reading; whom it binds, how it is obeyed, what it sets, its tests.
import { html } from "../kit/html.js";
import { written } from "../parts/clause.js";

const count = (tests) => `${tests.length} test${tests.length === 1 ? "" : "s"}`;

export const Clause = ({ clause }) => html`
  <article class="clause-article" id=${clause.short} aria-label=${`Clause ${clause.short}`}>
    <a class="clause-number" href="#${encodeURIComponent(clause.short)}">${written(clause.short)}</a>
    <div>
      <p class="says">${clause.says}</p>
      ${clause.reading && html`<p class="reading">read here as: ${clause.reading}</p>`}
      <p class="how"><b>${clause.obeyed}</b> · binds the ${clause.binds}${clause.provisions.map((one) => html` · ${one.name}: ${one.words}`)}</p>
      ${clause.tests.length > 0 && html`
        <details><summary>${count(clause.tests)}</summary><ul>${clause.tests.map((test) => html`<li>${test.title} <span class="quiet-text">${test.file}</span></li>`)}</ul></details>`}
    </div>
  </article>`;
