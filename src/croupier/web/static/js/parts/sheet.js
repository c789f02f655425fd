// A sheet over the page that somebody asked for: settings, keys, a question. Escape closes it and gives the focus back.
import { html, useEffect, useRef } from "../kit/html.js";
import { Icon } from "./icon.js";

export function Sheet({ title, onClose, wide = false, children }) {
  const ref = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`
    <dialog class="sheet ${wide ? "wide" : ""}" ref=${ref} aria-label=${title} onClose=${onClose} onCancel=${onClose}>
      <header><h2>${title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick=${onClose}><${Icon} name="close" /></button></header>
      ${children}
    </dialog>`;
}
