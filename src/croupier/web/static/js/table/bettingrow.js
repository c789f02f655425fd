// The bar while bets are open: chips, a field to type in, repeat, take back, clear, and that you are done.
import { html, useState } from "../kit/html.js";
import { arrowsMove } from "../kit/keys.js";
import { money, spokenMoney } from "../kit/money.js";
import { sideTitle } from "../parts/box.js";
import { notOpen, whyClosed } from "../parts/action.js";
import { Chip } from "../parts/chip.js";
import { Icon } from "../parts/icon.js";
import { rackOf } from "./rack.js";
import { isWatching, seatsOf } from "./stages.js";

export function bettingWords(game) {
  const { table, facts, you } = game.known;
  const mine = game.bets.mine();
  const sum = mine.reduce((total, one) => total + one.amount, 0);
  if (!you?.name) return ["You are watching", "Enter a name in the lobby to play."];
  if (!mine.length) return [isWatching(game.known) ? "You are watching" : "You have no bet yet", isWatching(game.known) ? "Sit at a free box, or bet behind." : ""];
  const own = seatsOf(table, you.name).map((box) => box.number);
  const parts = mine.map(({ number, which, amount }) => {
    const place = which !== "main" ? sideTitle(which, table) : own.includes(number) ? `box ${number}` : `behind ${table.boxes.find((box) => box.number === number)?.seat || `box ${number}`}`;
    return `${place} ${money(amount, facts.currency)}`;
  });
  return [`On the table: ${money(sum, facts.currency)}`, parts.join(" · ")];
}

/** An amount as it is typed, in cents: `25`, `$1,000`, `12.50`; null where it is none. */
function centsOf(text, currency) {
  const plain = text.replace(currency, "").trim();
  return /^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain.replaceAll(",", "")) * 100) : null;
}

function TypedBet({ game, known }) {
  const [text, setText] = useState("");
  const [seat] = seatsOf(known.table, known.you?.name);
  const enter = (event) => {
    event.preventDefault();
    const cents = centsOf(text, known.facts.currency);
    if (seat && cents !== null) game.bets.set(seat.number, cents);
    else if (text.trim()) game.hearReply({ ok: false, why: "input", what: "typed", said: { words: seat ? `“${text.trim()}” is no amount. Nothing was bet.` : "You have no box here. Nothing was bet." } });
    setText("");
  };
  return html`
    <form class="or-type" onSubmit=${enter}><span aria-hidden="true">or type</span>
      <input class="field" inputmode="decimal" aria-label="Bet on your box, typed" placeholder=${known.facts.currency}
        value=${text} onInput=${(event) => setText(event.target.value)} /></form>`;
}

export function againOf(known) {
  const sums = (known.you?.spots ?? []).flatMap((spot) => Object.values(spot.again ?? {}));
  return sums.reduce((total, sum) => total + sum, 0);
}

const NONE_BEFORE = "there is no earlier bet of yours at this table";
const NONE_LAID = "you have no chips on the table";
const IS_DONE = "the others are waited for";

/** A button of the bar. A closed one stays in its place, and the strip says why. */
function BarButton({ game, name, letter, why, kind, onPress, sign = letter.toUpperCase(), children = name }) {
  const closed = whyClosed(game, name, why);
  return html`
    <button type="button" class="button ${kind}" data-key=${letter} onClick=${why ? closed.onFocus : onPress} ...${closed}>
      <span>${children}${why && html`<span class="aloud">${notOpen(why)}</span>`}</span><span class="key" aria-hidden="true">${sign}</span></button>`;
}

export function BettingRow({ game, known, lost }) {
  const { facts, you } = known;
  const { currency } = facts;
  const again = againOf(known);
  const mine = game.bets.mine().length > 0;
  const laid = lost || (mine ? "" : NONE_LAID);
  const ready = async () => {
    await game.bets.flush();
    await game.done();
  };
  return html`
    <div class="betting-row">
      <div class="rack" role="radiogroup" aria-label="Chip in your hand" onKeyDown=${(event) => arrowsMove(event, "button")}>
        ${rackOf(facts).map((value, at) => html`
          <button type="button" class="rack-chip" role="radio" aria-checked=${game.bets.chip === value ? "true" : "false"}
            tabindex=${game.bets.chip === value ? 0 : -1} aria-label=${`${spokenMoney(value, currency)} chip`}
            onClick=${() => game.bets.take(value)} onFocus=${() => game.bets.take(value)}>
            <${Chip} value=${value} /><span class="key" aria-hidden="true">${at + 1}</span></button>`)}
      </div>
      <${TypedBet} game=${game} known=${known} />
      <${BarButton} game=${game} name="Repeat last" letter="r" kind="gap" why=${lost || (again ? "" : NONE_BEFORE)} onPress=${() => game.bets.repeat()}>
        Repeat<span class="wide-word"> last</span>${again > 0 && html` <span class="sum">${money(again, currency)}</span>`}<//>
      <${BarButton} game=${game} name="Take back" letter="Backspace" kind="quiet" why=${laid} onPress=${() => game.bets.takeBack()} sign=${html`<${Icon} name="erase" size=${12} />`} />
      <${BarButton} game=${game} name="Clear" letter="c" kind="quiet" why=${laid} onPress=${() => game.bets.clear()} />
      ${you?.name && html`
        <${BarButton} game=${game} name=${you.done ? "Waiting" : !mine ? "No bet" : facts.kind === "live" ? "Done" : "Deal"} letter="n" kind=${mine && !you.done && !lost ? "primary" : "quiet"} why=${lost || (you.done ? IS_DONE : "")} onPress=${ready} />`}
    </div>`;
}
