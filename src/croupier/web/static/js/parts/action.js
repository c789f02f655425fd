// An action button in all its states. A closed one stays in its place, with its reason.
import { html } from "../kit/html.js";
import { money, spokenMoney } from "../kit/money.js";
import { ClauseSign, spokenClauses } from "./clause.js";

const SENT = "sent …";
/** What a double does in a few words; the strip has it in full. */
export const ONE_CARD = "one card only";

/** The word "closed" is spoken for by its sentence; the first letter of that is raised for reading aloud. */
const raised = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const lowered = (words) => words.charAt(0).toLowerCase() + words.slice(1);
const stopped = (words) => (/[.!?]$/.test(words) ? words : `${words}.`);

/** What is read aloud after the name of an action. */
function aloud(choice, { currency, book }) {
  if (choice.closed) return `${choice.place ? `, ${choice.place}` : ""}${notOpen(choice.closed.words)}${spokenClauses(choice.closed.clauses, book)}`;
  const price = choice.price ? `adds ${spokenMoney(choice.price, currency)}` : "";
  const does = choice.command.type === "Double" ? ONE_CARD : lowered(choice.words);
  return [choice.place, price, does].filter(Boolean).map((part) => `, ${part}`).join("");
}

export function Action({ choice, game, facts, sent, shaken, line }) {
  const kind = choice.closed ? "closed" : sent ? "sent" : "";
  const place = choice.place ? `${choice.place} · ` : "";
  const price = choice.price ? `+${money(choice.price, facts.currency)} · ` : "";
  return html`
    <button type="button" class="action ${kind} ${shaken ? "refused" : ""}" data-key=${choice.key}
      aria-disabled=${choice.closed ? "true" : null}
      onClick=${() => game.press(choice)} onFocus=${() => game.show(choice)} onBlur=${() => game.unshow(choice)}
      onPointerEnter=${() => game.show(choice)} onPointerLeave=${(event) => event.currentTarget !== document.activeElement && game.unshow(choice)}>
      <span class="name">${choice.label}<span class="aloud">${aloud(choice, facts)}</span></span>
      <span class="line" aria-hidden="true">${choice.closed
        ? html`${place}${choice.closed.clauses?.[0] && html`<${ClauseSign} name=${choice.closed.clauses[0]} />`} <span class="closed-word">closed</span>`
        : sent ? SENT : `${place}${line ?? `${price}${lowered(choice.words)}`}`}</span>
      <span class="key" aria-hidden="true">${choice.key.toUpperCase()}</span>
    </button>`;
}

export const QuietAction = ({ name }) => html`
  <button type="button" class="action quiet" aria-disabled="true"><span class="name">${name}<span class="aloud">, not your turn</span></span></button>`;

/** What tells of a button that is no choice of the table why it is closed, while it has pointer or focus. */
export function whyClosed(game, name, why) {
  const tell = () => why && game.ui.change({ why: { name, words: why } });
  const untell = () => game.ui.get().why?.name === name && game.ui.change({ why: null });
  return { onFocus: tell, onBlur: untell, onPointerEnter: tell, onPointerLeave: untell, "aria-disabled": why ? "true" : null };
}
export const notOpen = (why) => `, not open. ${stopped(raised(why))}`;

/** Another button of the bar: name, a line, a key. It is closed where there is a `why`. */
export const PlainAction = ({ game, name, line, shortcut, onPress, sent, why = "", clauses = [] }) => html`
  <button type="button" class="action ${why ? "closed" : sent ? "sent" : ""}" data-key=${shortcut?.toLowerCase()}
    onClick=${() => why || game.busy || onPress()} ...${whyClosed(game, name, why)}>
    <span class="name">${name}<span class="aloud">${why ? notOpen(why) : `, ${line}`}</span></span>
    <span class="line" aria-hidden="true">${why ? "closed" : sent ? SENT : line}${!why && clauses[0] && html` <${ClauseSign} name=${clauses[0]} />`}</span>
    ${shortcut && html`<span class="key" aria-hidden="true">${shortcut}</span>`}
  </button>`;
