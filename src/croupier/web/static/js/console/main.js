// The console: a dealer runs a table with real cards; supervisor and operator give their orders.
import { html, render, useEffect, useLayoutEffect } from "../kit/html.js";
import { money } from "../kit/money.js";
import { useStore } from "../kit/store.js";
import { isOutdated } from "../kit/version.js";
import { Book } from "../parts/clause.js";
import { Icon } from "../parts/icon.js";
import { KeysSheet, SettingsSheet } from "../parts/settings.js";
import { Connection, Home, Tools } from "../parts/topbar.js";
import { Rail } from "../table/rail.js";
import { Desk } from "./desk.js";
import { KEYS, deskKeys } from "./keys.js";
import { Keypad } from "./keypad.js";
import { DeskTable } from "./layout.js";
import { Next } from "./next.js";
import { Orders } from "./orders.js";

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");

function ConsolePage({ desk }) {
  const known = useStore(desk.link.known);
  const line = useStore(desk.link.line);
  const ui = useStore(desk.ui);
  useLayoutEffect(() => deskKeys(desk), [desk]);
  const { facts, table, n } = known;
  useEffect(() => {
    if (facts) document.title = `Console · ${facts.name}`;
  }, [facts]);
  if (!table) {
    return html`<main class="nothing"><h1>${line.state === "opening" ? "To the console" : "No such table"}</h1><p><a href="/">Back to the lobby</a></p></main>`;
  }
  const close = () => desk.ui.change({ sheet: "" });
  return html`
    <${Book.Provider} value=${facts.book}>
      <div class="console-page">
        <a class="skip" href="#keypad">To the keypad</a>
        <main aria-label=${`Console of ${facts.name}`}>
          <${Next} desk=${desk} known=${known} />
          <${DeskTable} desk=${desk} known=${known} />
          <div id="keypad" tabindex="-1"><${Keypad} desk=${desk} known=${known} /></div>
        </main>
        <aside class="orders" aria-label="Orders" data-open=${ui.orders ? "true" : "false"}>
          <button type="button" class="icon-button close" aria-label="Close the orders" onClick=${() => desk.ui.change({ orders: false })}><${Icon} name="close" /></button>
          <${Orders} desk=${desk} known=${known} /></aside>
        <${Rail} game=${desk} known=${known} recorded=${desk.recorded()} />
        <header class="topbar"><${Home} /><span class="rule"></span><span class="where">${facts.name} · ${facts.title}</span>
          ${table.round > 0 && html`<span class="fact">Round <b>${table.round}</b></span>`}
          <span class="fact">${money(table.minimum, facts.currency)}–${money(table.maximum, facts.currency)} in ${money(facts.multiple, facts.currency)}</span>
          <span class="fact decks"><b>${table.decks}</b> decks</span><span class="fact">Shoe: <b>${table.shoe}</b> left</span>
          <span class="push-right"></span>
          <button type="button" class="button small quiet orders-button" onClick=${() => desk.ui.change({ orders: !ui.orders })}>Orders <span class="key" aria-hidden="true">O</span></button>
          ${isOutdated(facts) && html`<button type="button" class="button small" onClick=${() => location.reload()}>Reload: a new version is there</button>`}
          <${Connection} state=${line.state} words=${line.state === "live" ? `Logging, line ${n.toLocaleString("en-AU")}` : null} />
          <${Tools} onHelp=${() => desk.ui.change({ sheet: "keys" })} onSettings=${() => desk.ui.change({ sheet: "settings" })} /></header>
      </div>
      ${ui.sheet === "settings" && html`<${SettingsSheet} onClose=${close} />`}
      ${ui.sheet === "keys" && html`<${KeysSheet} keys=${KEYS} onClose=${close} />`}
    <//>`;
}

render(html`<${ConsolePage} desk=${new Desk(id)} />`, document.getElementById("app"));
