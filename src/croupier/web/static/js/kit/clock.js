// Countdowns run on the server's clock.
import { useEffect, useState } from "./html.js";

const left = (clock, skew) => (clock ? Math.max(0, clock.until - (Date.now() + skew)) : 0);

export const secondsUntil = (clock, skew) => Math.ceil(left(clock, skew) / 1000);

/** Seconds that are left, and what part of the whole they are; null where no clock runs. */
export function useCountdown(clock, skew) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!clock) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 200);
    return () => clearInterval(timer);
  }, [clock?.until]);
  if (!clock) return null;
  const rest = left(clock, skew);
  return { seconds: secondsUntil(clock, skew), part: clock.seconds ? Math.min(1, rest / (clock.seconds * 1000)) : 0 };
}
