// One parchment card a document: what it is and how much of it is tested.
import { dayName } from "../kit/day.js";
import { html } from "../kit/html.js";

/** The act that the document is: the latest of its instruments. */
function instrument({ instruments }) {
  const made = instruments.at(-1);
  return made ? `${made.id} · ${dayName(made.day)}` : "";
}

const Document = ({ book }) => html`
  <a class="document" href="/rules/${book.id}">
    <h3>${book.title}</h3><span class="instrument">${instrument(book)}</span>
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="4" /><rect width=${(100 * book.tested) / Math.max(1, book.clauses)} height="4" /></svg>
    <span>${book.tested} of ${book.clauses} clauses tested</span></a>`;

export const Documents = ({ books }) => html`
  <section aria-label="The law these tables run on"><h2 class="section-title">The law these tables run on</h2>
    <div class="documents">${books.map((book) => html`<${Document} key=${book.id} book=${book} />`)}</div></section>`;
