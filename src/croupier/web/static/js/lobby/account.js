// An account: a newcomer sets a password, others come back with theirs; an operator says who holds which office.
import { html, useState } from "../kit/html.js";
import { me, post } from "../kit/http.js";
import { Sheet } from "../parts/sheet.js";

const OFFICES = ["player", "dealer", "supervisor", "operator", "regulator"];

/** A form of a few texts: what is wrong stands in its place. */
function Asking({ fields, button, onSend, children }) {
  const [values, setValues] = useState({});
  const [said, setSaid] = useState({ problem: "", done: "" });
  const send = async (event) => {
    event.preventDefault();
    try {
      setSaid({ problem: "", done: (await onSend(values)) ?? "" });
    } catch (error) {
      setSaid({ problem: error.words ?? String(error), done: "" });
    }
  };
  return html`
    <form class="stacked" onSubmit=${send}>
      ${fields.map(([name, label, type = "text", complete = "off"]) => html`
        <label key=${name}><span class="label">${label}</span><input class="field" type=${type} autocomplete=${complete} required
          value=${values[name] ?? ""} onInput=${(event) => setValues({ ...values, [name]: event.target.value })} /></label>`)}
      ${children?.(values, setValues)}
      ${said.problem && html`<p class="sentence-of-error" role="alert">${said.problem}</p>`}
      ${said.done && html`<p role="status">${said.done}</p>`}
      <button class="button" type="submit">${button}</button>
    </form>`;
}

const keep = async (path, body) => me.set({ ...me.get(), ...(await post(path, body)) });

const LogIn = ({ onClose }) => html`
  <${Asking} button="Log in" fields=${[["name", "Name", "text", "username"], ["password", "Password", "password", "current-password"]]}
    onSend=${async (values) => { await keep("/api/login", values); onClose(); }} />`;

const Register = ({ who }) => html`
  <${Asking} button="Keep this name" fields=${[["password", "Password, so that you can come back", "password", "new-password"]]}
    onSend=${async ({ password }) => { await keep("/api/register", { name: who.name, password }); return "The name is yours."; }} />`;

const Appoint = () => html`
  <h3>Who holds which office</h3>
  <${Asking} button="Appoint" fields=${[["name", "Name"]]}
    onSend=${async ({ name, role = "dealer" }) => { await post(`/api/people/${encodeURIComponent(name)}/role`, { role }); return `${name} is ${role}.`; }}>
    ${(values, setValues) => html`<label><span class="label">Office</span>
      <select class="field" value=${values.role ?? "dealer"} onChange=${(event) => setValues({ ...values, role: event.target.value })}>
        ${OFFICES.map((office) => html`<option key=${office} value=${office}>${office}</option>`)}</select></label>`}
  <//>`;

export function AccountSheet({ who, onClose }) {
  const leave = async () => {
    await post("/api/logout");
    location.assign("/");
  };
  if (!who?.name) return html`<${Sheet} title="Log in" onClose=${onClose}><${LogIn} onClose=${onClose} /><//>`;
  return html`
    <${Sheet} title=${who.name} onClose=${onClose}>
      <div class="stacked">
        ${who.roles?.length > 0 && html`<p class="quiet-text">You are here as ${who.roles.join(", ")}.</p>`}
        ${!who.registered && html`<${Register} who=${who} />`}
        ${who.roles?.includes("operator") && html`<${Appoint} />`}
        <button type="button" class="button quiet" onClick=${leave}>Log out</button>
      </div>
    <//>`;
}
