// Runs before anything is drawn: puts what this device has set on the root element, so that nothing flashes.
(() => {
  const root = document.documentElement;
  const light = matchMedia("(prefers-color-scheme: light)");
  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem("croupier.settings")) ?? {};
    } catch {
      return {};
    }
  };
  const apply = () => {
    const { theme = "device", deck = "two", mirror = "off", motion = "on", hints = "on" } = kept();
    const chosen = theme === "device" ? (light.matches ? "light" : "dark") : theme;
    Object.assign(root.dataset, { theme: chosen, deck, mirror, motion, hints });
  };
  apply();
  light.addEventListener("change", apply);
  addEventListener("croupier:settings", apply);
})();
