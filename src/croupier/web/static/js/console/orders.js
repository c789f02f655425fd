// Orders of dealer, supervisor, operator and regulator, by topic. An order says what it will put on record before it is given.
import { html, useEffect, useRef, useState } from "../kit/html.js";
import { get, post } from "../kit/http.js";
import { useStore } from "../kit/store.js";
import { Chips, ClauseSign, spokenClauses } from "../parts/clause.js";
import { Icon } from "../parts/icon.js";
import { commandOf } from "./fields.js";

const ROLES = ["dealer", "supervisor", "operator", "regulator"];
const NUMBERS = new Set(["money", "number", "box", "round"]);
const named = (choice) => [choice].flat().join(", ").replaceAll("_", " ") || "none";

function Field({ field, value, onValue }) {
  const change = (event) => onValue(event.target.value);
  const label = html`<span class="label">${field.label}${field.required ? "" : ", if any"}</span>`;
  if (field.kind === "choice") {
    return html`<label>${label}<select class="field" value=${value} onChange=${change}>
      ${!field.required && html`<option value=""></option>`}${field.choices.map((one) => html`<option key=${one} value=${one}>${named(one)}</option>`)}</select></label>`;
  }
  if (field.kind === "yes or no") {
    return html`<label>${label}<select class="field" required=${field.required} value=${value} onChange=${change}><option value=""></option><option value="yes">yes</option><option value="no">no</option></select></label>`;
  }
  return html`<label>${label}<input class="field" required=${field.required} value=${value} onInput=${change} ...${NUMBERS.has(field.kind) ? { inputmode: "decimal", pattern: "\\s*\\d+([.]\\d+)?\\s*" } : {}} /></label>`;
}

/** The fields of an order, the sentence that it will put on record, and the word that gives it. */
function OrderForm({ desk, order, onDone }) {
  const [values, setValues] = useState(() => Object.fromEntries(order.fields.map((field) => [field.name, field.required && field.choices?.length ? String(field.choices[0]) : ""])));
  const [foretold, setForetold] = useState(null);
  const [reply, setReply] = useState(null);
  const { role } = desk.ui.get();
  const held = order.roles.includes(role) ? role : order.roles[0];
  const command = commandOf(order, values);
  useEffect(() => {
    if (!command) {
      setForetold(null);
      return undefined;
    }
    const timer = setTimeout(() => post(`/api/tables/${desk.id}/foretell`, { command, role: held }).then(setForetold, (problem) => setForetold({ ok: false, said: problem })), 250);
    return () => clearTimeout(timer);
  }, [JSON.stringify(command)]);
  const give = async (yes) => {
    const answer = await desk.link.request("order", { type: "ask", command, role: held }, yes);
    if (answer.ok) onDone();
    else setReply(answer);
  };
  const send = (event) => {
    event.preventDefault();
    if (command) give(false);
  };
  return html`
    <form class="order-form" onSubmit=${send}>
      ${order.fields.map((field) => html`<${Field} key=${field.name} field=${field} value=${values[field.name]} onValue=${(value) => setValues({ ...values, [field.name]: value })} />`)}
      ${foretold?.said && html`<p class=${foretold.ok ? "foretold" : "foretold lose"} role="status">${foretold.ok ? "On record: " : "Refused: "}${foretold.said.words} <${Chips} names=${(foretold.said.clauses ?? []).slice(0, 2)} /></p>`}
      ${reply && html`<p class="sentence-of-error" role="alert">${reply.said?.words ?? "Nothing was done."} <${Chips} names=${(reply.said?.clauses ?? []).slice(0, 2)} /></p>`}
      ${reply?.why === "question"
        ? html`<span class="answers"><button type="button" class="button" onClick=${() => give(true)}>Yes, do it</button><button type="button" class="button quiet" onClick=${() => setReply(null)}>No</button></span>`
        : html`<button type="submit" class="button">Order</button>`}
    </form>`;
}

/** The short line of an order: whose it is, why it is closed, or what it does. */
const lineOf = (order, may) => (may ? order.closed?.words ?? order.words : `For the ${order.roles.join(" or ")}.`);

/** A closed order unfolds to its reason in full; an open one to its fields. */
function Order({ desk, order, role }) {
  const [open, setOpen] = useState(false);
  const may = order.roles.includes(role);
  const isOpen = may && !order.closed;
  const [clause] = order.clauses;
  return html`
    <li class="order ${open ? "open" : ""}">
      <button type="button" class="order-row ${isOpen ? "" : "closed"}" aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>
        <b>${order.label}${!isOpen && html`<span class="aloud">, not open</span>`}</b>${clause && html`<span aria-hidden="true"><${ClauseSign} name=${clause} /></span>`}
        <span class="line">${lineOf(order, may)}<span class="aloud">${spokenClauses(order.clauses)}</span></span></button>
      ${open && !isOpen && html`<div class="order-clauses"><${Chips} names=${order.clauses} title=${order.label} /></div>`}
      ${open && isOpen && html`<${OrderForm} desk=${desk} order=${order} onDone=${() => setOpen(false)} />`}
    </li>`;
}

function Topic({ name, desk, orders, role, badge, open, onPress, children }) {
  return html`
    <section class="topic"><button type="button" class="topic-row" aria-expanded=${open ? "true" : "false"} onClick=${onPress}>
      <b>${name}</b>${badge > 0 && html`<span class="badge">${badge} open</span>`}<${Icon} name=${open ? "minus" : "plus"} size=${16} /></button>
      ${open && html`${children}<ul>${orders.map((order) => html`<${Order} key=${order.command} desk=${desk} order=${order} role=${role} />`)}</ul>`}</section>`;
}

const Disputes = ({ disputes }) => html`
  <ul class="disputes">${disputes.map((one) => html`<li key=${one.number}><b>${one.number}. ${one.player}</b>: ${one.about} <span class="quiet-text">${one.status}</span></li>`)}</ul>`;

const SOON = 250;

/** The orders as they stand with the table now: asked for again when it has moved on, and come to rest. While no
    topic is open nobody sees how they stand, and nothing is asked. */
function useOrders(table, n, isSeen) {
  const [orders, setOrders] = useState([]);
  const wasSeen = useRef(false);
  useEffect(() => {
    const wait = orders.length && wasSeen.current ? SOON : 0;
    wasSeen.current = isSeen;
    if (orders.length && !isSeen) return undefined;
    const load = () => get(`/api/tables/${table}/orders`).then((answer) => setOrders(answer.orders), ({ status }) => status === 404 && setOrders([]));
    const timer = setTimeout(load, wait);
    return () => clearTimeout(timer);
  }, [n, isSeen]);
  return orders;
}

export function Orders({ desk, known }) {
  const { table, you } = known;
  const { role } = useStore(desk.ui);
  const [unfolded, setUnfolded] = useState([]);
  const orders = useOrders(desk.id, known.n, unfolded.length > 0);
  const unfold = (topic) => setUnfolded(unfolded.includes(topic) ? unfolded.filter((one) => one !== topic) : [...unfolded, topic]);
  const held = you?.roles ?? [];
  const roles = ROLES.filter((one) => one !== "regulator" || held.includes("regulator"));
  const disputes = table.disputes ?? [];
  const topics = [...new Set(orders.map((order) => order.topic))];
  return html`
    <p class="label">You act as</p>
    <div class="role-switch" role="radiogroup" aria-label="You act as">${roles.map((one) => html`
      <button type="button" key=${one} role="radio" aria-checked=${role === one ? "true" : "false"} aria-disabled=${held.includes(one) ? null : "true"}
        onClick=${() => (held.includes(one) ? desk.ui.change({ role: one }) : desk.refuse({ words: `You do not hold the office of ${one}.` }))}>${one.charAt(0).toUpperCase() + one.slice(1)}</button>`)}</div>
    <h2>Orders</h2>
    ${topics.map((topic) => html`
      <${Topic} key=${topic} name=${topic} desk=${desk} role=${role} orders=${orders.filter((order) => order.topic === topic)} open=${unfolded.includes(topic)} onPress=${() => unfold(topic)}
        badge=${topic === "Disputes" ? disputes.filter((one) => one.status === "open").length : 0}>
        ${topic === "Disputes" && html`<${Disputes} disputes=${disputes} />`}<//>`)}
    <p class="no-undo">There is no undo. A line typed in error is struck by a supervisor: strike 37 why=what was wrong.</p>`;
}
