// What was filled in, as a command; null while a field that must be there is empty or no number.
const NUMBERS = new Set(["number", "box", "round"]);

/** `1 Th 5d / 2 9c 4s`: how hands must lie. */
function hands(text) {
  const found = {};
  for (const part of text.split("/")) {
    const [place, ...cards] = part.trim().split(/\s+/);
    if (place) found[place] = cards;
  }
  return found;
}

function valueOf(field, text) {
  if (field.kind === "money") return Math.round(Number(text) * 100);
  if (NUMBERS.has(field.kind)) return Number(text);
  if (field.kind === "yes or no") return text === "yes";
  if (field.kind === "missing" || field.kind === "extra") return text.split(/\s+/);
  if (field.kind === "hands") return hands(text);
  if (field.kind === "choice") return field.choices.find((one) => String(one) === text);
  return text;
}

export function commandOf(order, values) {
  const command = { type: order.command };
  for (const field of order.fields) {
    const text = String(values[field.name] ?? "").trim();
    if (!text) {
      if (field.required && !(field.kind === "choice" && field.choices.includes(""))) return null;
      continue;
    }
    const value = valueOf(field, text);
    if (typeof value === "number" && !Number.isFinite(value)) return null;
    command[field.name] = value;
  }
  return command;
}
