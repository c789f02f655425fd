// Lines above the felt, two at the most.
import { html } from "../kit/html.js";
import { Chips } from "./clause.js";

export const Notices = ({ notices }) => html`
  <div class="lines">${notices.slice(0, 2).map((notice) => html`
    <div class="notice ${notice.kind}" key=${notice.title}><p><b>${notice.title}</b> ${notice.words}</p>
      <span class="aside">${notice.clauses?.length > 0 && html`<${Chips} names=${notice.clauses.slice(0, 2)} />`}
        ${notice.press && html`<button type="button" class="button small" onClick=${notice.press}>${notice.label}</button>`}</span>
    </div>`)}
  </div>`;
