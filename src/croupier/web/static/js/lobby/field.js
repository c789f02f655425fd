// A field of a form: its label with the clause behind it, and what is wrong with it in its place.
import { html, useRef, useEffect } from "../kit/html.js";
import { Chips, useClauses } from "../parts/clause.js";

/** `children` draws the control from what ties it to its label and its problem. */
export function Field({ name, label, clauses = [], problem, children }) {
  const ref = useRef(null);
  const { chips, text } = useClauses(clauses, { most: 1 });
  const isWrong = problem?.field === name;
  useEffect(() => {
    if (isWrong) ref.current.querySelector("input, select")?.focus();
  }, [isWrong && problem]);
  return html`
    <div class="form-field ${isWrong ? "wrong" : ""}" ref=${ref}>
      <div class="label"><label for=${`field-${name}`}>${label}</label>${chips}</div>
      ${children({ id: `field-${name}`, "aria-invalid": isWrong ? "true" : null, "aria-describedby": isWrong ? `wrong-${name}` : null })}
      ${text}
      ${isWrong && html`<p class="sentence-of-error" role="alert" id=${`wrong-${name}`}>${problem.words} <${Chips} names=${problem.clauses} /></p>`}
    </div>`;
}

export const Select = ({ value, onValue, options, ...field }) => html`
  <select class="field" ...${field} value=${String(value)} onChange=${(event) => onValue(event.target.value)}>
    ${options.map(([option, words]) => html`<option key=${option} value=${String(option)}>${words}</option>`)}</select>`;

export const Text = ({ value, onValue, ...field }) => html`
  <input class="field" autocomplete="off" ...${field} value=${value} onInput=${(event) => onValue(event.target.value)} />`;
