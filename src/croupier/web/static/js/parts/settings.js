// What a player may set for this device, and the keys of the page.
import { html } from "../kit/html.js";
import { setSetting, settings } from "../kit/settings.js";
import { useStore } from "../kit/store.js";
import { Sheet } from "./sheet.js";

const CHOICES = [
  ["theme", "Theme", [["device", "As the device"], ["dark", "Dark"], ["light", "Light"]]],
  ["deck", "Suits", [["two", "Two colours"], ["four", "Four colours"]]],
  ["mirror", "Boxes from left to right", [["off", "No"], ["on", "Yes"]]],
  ["motion", "Motion", [["on", "Yes"], ["off", "No"]]],
  ["keys", "Single keys", [["on", "Yes"], ["off", "No"]]],
  ["hints", "Key hints", [["on", "Yes"], ["off", "No"]]],
];

export function SettingsSheet({ onClose }) {
  const kept = useStore(settings);
  return html`
    <${Sheet} title="Settings" onClose=${onClose}>
      ${CHOICES.map(([name, label, options]) => html`
        <fieldset class="setting"><legend>${label}</legend>
          ${options.map(([value, words]) => html`
            <label class="pill"><input type="radio" name=${name} checked=${kept[name] === value}
              onChange=${() => setSetting(name, value)} /><span>${words}</span></label>`)}
        </fieldset>`)}
    <//>`;
}

export const KeysSheet = ({ keys, onClose }) => html`
  <${Sheet} title="Keys" onClose=${onClose}>
    <dl class="keys">${keys.map(([key, words]) => html`<div><dt><span class="key">${key}</span></dt><dd>${words}</dd></div>`)}</dl>
  <//>`;
