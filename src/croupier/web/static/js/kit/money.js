// Sums of cents as people read them and as they are read aloud.
const COINS = { $: ["dollar", "cent"], "£": ["pound", "penny"] };

const plain = (cents) => {
  const whole = Math.floor(cents / 100).toLocaleString("en-AU");
  const rest = cents % 100;
  return rest ? `${whole}.${String(rest).padStart(2, "0")}` : whole;
};

export const money = (cents, currency = "$") => `${cents < 0 ? "−" : ""}${currency}${plain(Math.abs(cents))}`;

/** A gain with its sign: +$50, −$25, =. */
export const gain = (cents, currency = "$") => (cents === 0 ? "=" : `${cents > 0 ? "+" : ""}${money(cents, currency)}`);

export const percent = (part, digits) => `${(100 * part).toFixed(digits).replace("-", "−")} %`;

export const tone = (net) => (net > 0 ? "win" : net < 0 ? "lose" : "push");

export function spokenMoney(cents, currency = "$") {
  const [unit, part] = COINS[currency] ?? [currency, "cent"];
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = Math.abs(cents) % 100;
  const parts = [];
  if (whole || !rest) parts.push(`${whole} ${unit}${whole === 1 ? "" : "s"}`);
  if (rest) parts.push(`${rest} ${part === "penny" ? "pence" : `${part}s`}`);
  return parts.join(" ");
}
