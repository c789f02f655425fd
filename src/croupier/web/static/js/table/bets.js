// Bets while they are laid: what the page wants to lie on a box, until the table has confirmed or refused it.
import { store } from "../kit/store.js";
import { rackOf } from "./rack.js";
import { slideBack } from "./travel.js";

const MAIN = "main";
/** A sum below the minimum is warned of once; so it waits a moment for the next chip. */
const WAIT_FOR_MORE = 1500;

export class Bets {
  constructor(game) {
    this.game = game;
    this.hand = store({ chip: null, wanted: {}, laid: [] });
    this.flying = new Set();
    this.timers = {};
  }

  /** What lies on a box of mine by the table's word. */
  confirmed(number) {
    const { table, you } = this.game.known;
    const bet = table.boxes.find((box) => box.number === number)?.bets?.find((one) => one.player === you.name);
    const sides = Object.fromEntries((bet?.sides ?? []).map((side) => [side.name, side.stake]));
    return { stake: bet?.stake ?? 0, sides };
  }

  on(number) {
    return this.hand.get().wanted[number] ?? this.confirmed(number);
  }

  isPending(number) {
    return number in this.hand.get().wanted;
  }

  take(chip) {
    this.hand.change({ chip });
  }

  get chip() {
    const { facts, table } = this.game.known;
    const chips = rackOf(facts);
    return this.hand.get().chip ?? chips.find((chip) => chip >= table.minimum) ?? chips.at(-1);
  }

  lay(number, which = MAIN, amount = this.chip) {
    const now = this.on(number);
    this.want(number, which === MAIN
      ? { ...now, stake: now.stake + amount }
      : { ...now, sides: { ...now.sides, [which]: (now.sides[which] ?? 0) + amount } });
    this.hand.change({ laid: [...this.hand.get().laid, { number, which, amount }] });
  }

  set(number, stake) {
    this.want(number, { ...this.on(number), stake });
  }

  /** The chip that was laid last, there or anywhere, goes back. */
  takeBack(number, which) {
    const { laid } = this.hand.get();
    const at = laid.findLastIndex((one) => (number === undefined || one.number === number) && (which === undefined || one.which === which));
    if (at >= 0) {
      const { number: box, which: spot, amount } = laid[at];
      this.hand.change({ laid: laid.filter((_, other) => other !== at) });
      this.lower(box, spot, amount);
    } else if (number !== undefined) this.lower(number, which ?? MAIN, this.chip);
    else this.takeBackWager(this.mine().at(-1));
  }

  /** What was not laid chip by chip, but repeated or typed, goes back whole. */
  takeBackWager(wager) {
    if (wager) this.lower(wager.number, wager.which, wager.amount);
  }

  lower(number, which, amount) {
    const now = this.on(number);
    if (which === MAIN) this.want(number, { ...now, stake: Math.max(0, now.stake - amount) });
    else this.want(number, { ...now, sides: { ...now.sides, [which]: Math.max(0, (now.sides[which] ?? 0) - amount) } });
  }

  clear() {
    const { table, you } = this.game.known;
    for (const box of table.boxes) {
      const mine = box.bets?.some((bet) => bet.player === you.name);
      if (mine || this.isPending(box.number)) this.want(box.number, { stake: 0, sides: {} });
    }
    this.hand.change({ laid: [] });
  }

  repeat() {
    for (const spot of this.game.known.you.spots ?? []) {
      const { "": stake, ...sides } = spot.again ?? {};
      if (stake) this.want(spot.box, { stake, sides });
    }
  }

  want(number, sums) {
    const sides = Object.fromEntries(Object.entries(sums.sides).filter(([, stake]) => stake > 0));
    this.hand.change({ wanted: { ...this.hand.get().wanted, [number]: { stake: sums.stake, sides } } });
    clearTimeout(this.timers[number]);
    const low = this.game.known.you.spots?.find((spot) => spot.box === number)?.low ?? 0;
    const whole = sums.stake >= low || sums.stake === 0;
    if (whole) this.send(number);
    else this.timers[number] = setTimeout(() => this.send(number), WAIT_FOR_MORE);
  }

  /** Sends what is still held back; for the one who says that they are done. */
  async flush() {
    for (const number of Object.keys(this.hand.get().wanted)) {
      clearTimeout(this.timers[number]);
      await this.send(Number(number));
    }
  }

  async send(number) {
    if (this.flying.has(number)) return;
    const sums = this.hand.get().wanted[number];
    if (!sums) return;
    this.flying.add(number);
    const reply = await this.game.send(`bet-${number}`, { type: "bet", box: number, ...sums });
    this.flying.delete(number);
    if (this.hand.get().wanted[number] !== sums && reply.ok) {
      await this.send(number);
      return;
    }
    if (!reply.ok) this.giveBack(number, sums);
    this.forget(number);
  }

  /** What was laid beyond what the table has goes back to the rack. */
  giveBack(number, { stake, sides }) {
    const lies = this.confirmed(number);
    const all = (sums) => Object.values(sums).reduce((sum, one) => sum + one, 0);
    slideBack(number, stake + all(sides) - lies.stake - all(lies.sides), this.game.known.facts.chips);
    this.hand.change({ laid: this.hand.get().laid.filter((one) => one.number !== number) });
  }

  forget(number) {
    const { [number]: _, ...wanted } = this.hand.get().wanted;
    this.hand.change({ wanted, laid: this.game.known.table.stage === "betting" ? this.hand.get().laid : [] });
  }

  /** Everything of mine, laid or pending: [{box, which, amount}]. */
  mine() {
    const { table } = this.game.known;
    return table.boxes.flatMap(({ number }) => {
      const { stake, sides } = this.on(number);
      const all = [[MAIN, stake], ...Object.entries(sides)];
      return all.filter(([, amount]) => amount > 0).map(([which, amount]) => ({ number, which, amount }));
    });
  }
}
