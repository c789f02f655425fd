// A player disputes a decision: what it is about, in their words.
import { html, useState } from "../kit/html.js";
import { Sheet } from "../parts/sheet.js";

export function DisputeSheet({ game, onClose }) {
  const [about, setAbout] = useState("");
  const [problem, setProblem] = useState("");
  const send = async (event) => {
    event.preventDefault();
    const reply = await game.ask("dispute", { type: "OpenDispute", about });
    if (reply.ok) onClose();
    else setProblem(reply.said?.words ?? "Nothing was done.");
  };
  return html`
    <${Sheet} title="Dispute" onClose=${onClose}>
      <form onSubmit=${send}>
        <label><span class="label">What is it about?</span>
          <textarea class="field" rows="3" maxlength="300" required value=${about} onInput=${(event) => setAbout(event.target.value)}></textarea></label>
        ${problem && html`<p class="sentence-of-error" role="alert">${problem}</p>`}
        <p><button class="button" type="submit">Ask for a ruling</button></p>
      </form>
    <//>`;
}
