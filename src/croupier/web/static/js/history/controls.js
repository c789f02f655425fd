// First, back, play, forward, last, and how fast.
import { html } from "../kit/html.js";
import { Icon } from "../parts/icon.js";

const SPEEDS = [0.5, 1, 2, 4];
const speedName = (speed) => (speed === 0.5 ? "½×" : `${speed}×`);

const Step = ({ name, icon, onPress }) => html`
  <button type="button" class="button quiet square" aria-label=${name} onClick=${onPress}><${Icon} name=${icon} /></button>`;

export function Controls({ step, last, playing, speed, go, onPlay, onSpeed }) {
  const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
  return html`
    <div class="controls">
      <${Step} name="First step" icon="first" onPress=${() => go(0)} />
      <${Step} name="Step back" icon="back" onPress=${() => go(step - 1)} />
      <button type="button" class="button primary" onClick=${onPlay}>${playing ? "Stop" : "Play"} <span class="key" aria-hidden="true">Space</span></button>
      <${Step} name="Step forward" icon="forward" onPress=${() => go(step + 1)} />
      <${Step} name="Last step" icon="last" onPress=${() => go(last)} />
      <span class="where-in-round">Step <b>${step}</b> of ${last}</span>
      <span class="legend" aria-hidden="true">
        <svg width="12" height="12"><circle class="mark" cx="6" cy="6" r="3" /></svg>event
        <svg width="14" height="14"><path class="mark money" d="M7 1l6 6-6 6-6-6z" /></svg>money moves
        <svg width="14" height="14"><path class="mark refused" d="M2 2l10 10M12 2L2 12" /></svg>refused</span>
      <button type="button" class="button quiet speed" aria-label=${`Speed ${speedName(speed)}, change to ${speedName(next)}`} onClick=${() => onSpeed(next)}>Speed <b>${speedName(speed)}</b></button>
    </div>`;
}
