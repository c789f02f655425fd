// A newcomer gives a name and plays.
import { html, useState } from "../kit/html.js";
import { me, post } from "../kit/http.js";
import { Sheet } from "../parts/sheet.js";

/** Does something at once for one who has a name; asks for it first otherwise. */
export function enterFirst(who, then, ask) {
  if (who?.name) then();
  else ask(() => then);
}

export function NameSheet({ then, onClose }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState("");
  const enter = async (event) => {
    event.preventDefault();
    try {
      me.set(await post("/api/enter", { name: name.trim() }));
      onClose();
      then();
    } catch (error) {
      setProblem(error.words ?? String(error));
    }
  };
  return html`
    <${Sheet} title="Who plays?" onClose=${onClose}>
      <form class="stacked" onSubmit=${enter}>
        <label><span class="label">Name</span>
          <input class="field" name="name" autocomplete="nickname" autofocus required maxlength="24" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
        ${problem && html`<p class="sentence-of-error" role="alert">${problem}</p>`}
        <p class="quiet-text">You play with play money.</p>
        <button class="button primary" type="submit">Enter</button>
      </form>
    <//>`;
}
