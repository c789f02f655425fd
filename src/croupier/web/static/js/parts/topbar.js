// The bar on top of every page.
import { html } from "../kit/html.js";
import { gain, money } from "../kit/money.js";
import { Icon, SPRITE } from "./icon.js";

/** History is of a table: where none is known, there is nothing to lead to. */
const pagesOf = (table) => [["/", "Play"], ["/rules", "Rules"], ...(table ? [[`/history/${table}`, "History"]] : [])];

export const Home = () => html`
  <a class="home" href="/" aria-label="Croupier, to the lobby">
    <svg aria-hidden="true"><use href="${SPRITE}#mark" /></svg><span class="wordmark">Croupier</span></a>`;

export const Pages = ({ current, table }) => html`
  <nav aria-label="Pages">${pagesOf(table).map(([href, name]) => html`
    <a href=${href} aria-current=${name === current ? "page" : null}>${name}</a>`)}</nav>`;

const WORDS = { live: "Live", opening: "Connecting", quiet: "Live", lost: "Connection lost", elsewhere: "In another window", closed: "Closed" };

export const Connection = ({ state, words }) => html`
  <span class="connection ${state === "live" ? "" : state === "quiet" ? "quiet" : "lost"}">
    <span class="word">${words ?? WORDS[state] ?? state}</span></span>`;

export const Purse = ({ purse, currency, playMoney }) => html`
  <span class="purse"><span class="label-of-purse">Your ${playMoney ? "play chips" : "chips"}</span><b>${money(purse, currency)}</b></span>`;

/** At a live table one's chips are in one's hand; what it has brought so far is known. */
export const Won = ({ won, currency }) => html`
  <span class="purse"><span class="label-of-purse">Won here</span><b>${won ? gain(won, currency) : money(0, currency)}</b></span>`;

export const Tools = ({ onHelp, onSettings }) => html`
  <span class="tools">
    ${onHelp && html`<button type="button" class="icon-button help" aria-label="Keys" onClick=${onHelp}><${Icon} name="keyboard" /></button>`}
    <button type="button" class="icon-button" aria-label="Settings" onClick=${onSettings}><${Icon} name="settings" /></button>
  </span>`;
