// The one-time link of the operator: a name and a password of their own.
import { html, useState } from "../kit/html.js";
import { me, post } from "../kit/http.js";
import { Sheet } from "../parts/sheet.js";

export const isFirstLink = () => location.pathname === "/first";

export function FirstSheet({ onClose }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");
  const enter = async (event) => {
    event.preventDefault();
    try {
      me.set(await post("/api/first", { token: location.hash.slice(1), name: name.trim(), password }));
      history.replaceState(null, "", "/");
      onClose();
    } catch (error) {
      setProblem(error.words ?? String(error));
    }
  };
  return html`
    <${Sheet} title="The operator comes in" onClose=${onClose}>
      <form class="stacked" onSubmit=${enter}>
        <label><span class="label">Name</span><input class="field" autocomplete="username" required maxlength="32" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
        <label><span class="label">Password</span><input class="field" type="password" autocomplete="new-password" required value=${password} onInput=${(event) => setPassword(event.target.value)} /></label>
        ${problem && html`<p class="sentence-of-error" role="alert">${problem}</p>`}
        <button class="button primary" type="submit">Come in</button>
      </form>
    <//>`;
}
