// All rulebooks.
import { dayName } from "../kit/day.js";
import { html } from "../kit/html.js";

const Paragraphs = ({ about }) => [about].flat().slice(0, 3).map((line, at) => html`<p key=${at}>${line}</p>`);

export const Shelf = ({ shelf }) => html`
  <h1 class="page-title">Rules</h1>
  <div class="shelf" id="clauses" tabindex="-1">${shelf.map((book) => html`
    <a class="volume" key=${book.id} href="/rules/${book.id}">
      <h2>${book.title}</h2>
      ${book.instruments.map((made) => html`<span class="made" key=${made.id}>${made.title} · ${dayName(made.day)}</span>`)}
      <${Paragraphs} about=${book.about} />
      <span>${book.tested} of ${book.clauses} clauses tested${book.outside ? `, ${book.outside} outside software` : ""}</span></a>`)}
  </div>`;
