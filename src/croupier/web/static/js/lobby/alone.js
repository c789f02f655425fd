// Play alone: a table of one's own, the other boxes filled by simple players.
import { html, useState } from "../kit/html.js";
import { post } from "../kit/http.js";
import { PHONE, useMedia } from "../kit/media.js";

const OTHERS = [0, 1, 2, 3, 4, 5, 6];

export function PlayAlone({ books, withName }) {
  const phone = useMedia(PHONE);
  const [rulebook, setRulebook] = useState("");
  const [decks, setDecks] = useState("");
  const [others, setOthers] = useState("2");
  const [sides, setSides] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const book = books.find(({ id }) => id === rulebook) ?? books[0];
  const deal = async () => {
    setBusy(true);
    setProblem("");
    const wanted = { others: Number(others), side_bets: sides, ...(book ? { rulebook: book.id } : {}), ...(decks ? { decks: Number(decks) } : {}) };
    try {
      const { id } = await post("/api/alone", wanted);
      location.assign(`/table/${id}`);
    } catch (error) {
      setProblem(error.words ?? String(error));
      setBusy(false);
    }
  };
  const press = (event) => {
    event.preventDefault();
    if (!busy) withName(deal);
  };
  const fields = html`
    <label class="wide"><span class="label">Rules</span>
      <select class="field" value=${book?.id} onChange=${(event) => { setRulebook(event.target.value); setDecks(""); }}>
        ${books.map(({ id, title }) => html`<option key=${id} value=${id}>${title}</option>`)}</select></label>
    <div class="two">
      <label><span class="label">Decks</span>
        <select class="field" value=${decks || book?.usual_decks} onChange=${(event) => setDecks(event.target.value)}>
          ${(book?.decks ?? []).map((count) => html`<option key=${count} value=${count}>${count}</option>`)}</select></label>
      <label><span class="label">Other players</span>
        <select class="field" value=${others} onChange=${(event) => setOthers(event.target.value)}>
          ${OTHERS.map((count) => html`<option key=${count} value=${count}>${count}</option>`)}</select></label>
    </div>
    <label class="check"><input type="checkbox" checked=${sides} onChange=${(event) => setSides(event.target.checked)} /> Side bets</label>`;
  return html`
    <form class="card-panel" id="alone" tabindex="-1" onSubmit=${press}>
      <h2>Play alone</h2><p>A table of your own, now, with play money. Nobody waits for you.</p>
      ${phone ? html`<details><summary>Rules, decks, other players</summary>${fields}</details>` : fields}
      ${problem && html`<p class="sentence-of-error" role="alert">${problem}</p>`}
      <button class="button primary" type="submit" aria-disabled=${busy ? "true" : null}>Deal me in</button>
    </form>`;
}
