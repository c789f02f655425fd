// Suits and icons from the one sprite.
import { html } from "../kit/html.js";

export const SPRITE = new URL("../../sprite.svg", import.meta.url).pathname;

export const Icon = ({ name, size = 20 }) =>
  html`<svg class="icon" width=${size} height=${size} aria-hidden="true"><use href="${SPRITE}#${name}" /></svg>`;
