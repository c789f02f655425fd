// The two live regions. Polite sentences are gathered for a moment, assertive ones are for you alone.
const GATHER = 400;
const regions = {};
let gathered = [];
let timer = 0;

function region(manner) {
  if (!regions[manner]) {
    const element = document.createElement("div");
    element.className = "unseen";
    element.setAttribute("aria-live", manner);
    element.setAttribute("role", manner === "assertive" ? "alert" : "status");
    document.body.append(element);
    regions[manner] = element;
  }
  return regions[manner];
}

export function prepareRegions() {
  region("polite");
  region("assertive");
}

export function polite(sentence) {
  gathered.push(sentence);
  clearTimeout(timer);
  timer = setTimeout(() => {
    region("polite").textContent = gathered.join(" ");
    gathered = [];
  }, GATHER);
}

export function assertive(sentence) {
  region("assertive").textContent = sentence;
}
