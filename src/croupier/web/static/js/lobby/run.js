// Run a table with real cards: opens a table and its console, for who holds a role.
import { html, useState } from "../kit/html.js";
import { post } from "../kit/http.js";

const STAFF = ["dealer", "supervisor", "operator"];

export function RunTable({ who, books, withName }) {
  const [problem, setProblem] = useState("");
  const [rulebook, setRulebook] = useState("");
  const [sides, setSides] = useState(false);
  const may = STAFF.some((role) => who?.roles?.includes(role));
  const open = async () => {
    try {
      const { id } = await post("/api/tables", { kind: "live", side_bets: sides, ...(rulebook || books[0] ? { rulebook: rulebook || books[0].id } : {}) });
      location.assign(`/console/${id}`);
    } catch (error) {
      setProblem(error.words ?? String(error));
    }
  };
  const press = (event) => {
    event.preventDefault();
    withName(open);
  };
  return html`
    <form class="card-panel" onSubmit=${press}>
      <h2>Run a table</h2><p>With real cards: tap what falls, and the rules tell you what to do next.</p>
      ${may && html`
        <label class="wide"><span class="label">Rules</span>
          <select class="field" value=${rulebook || books[0]?.id} onChange=${(event) => setRulebook(event.target.value)}>
            ${books.map((book) => html`<option key=${book.id} value=${book.id}>${book.title}</option>`)}</select></label>
        <label class="check"><input type="checkbox" checked=${sides} onChange=${(event) => setSides(event.target.checked)} /> Side bets</label>`}
      ${problem && html`<p class="sentence-of-error" role="alert">${problem}</p>`}
      <button class="button" type="submit">Open a dealer’s console</button>
    </form>`;
}
