// The dealer's desk at one table: the connection, in which office one acts, and what a press or a line sends.
import { Link } from "../kit/link.js";
import { loadLaw } from "../kit/laws.js";
import { store } from "../kit/store.js";
import { read } from "../parts/clause.js";
import { isTold } from "../table/gather.js";

const FIRST = { role: "", way: "dealt", rank: "", misplaced: "", refusal: null, refusals: [], question: null, sheet: "", tab: "round", orders: false, drawer: false };

export const placeOf = (box, hand = 1) => (hand > 1 ? `${box}.${hand}` : `${box}`);

export class Desk {
  constructor(id) {
    this.id = id;
    this.link = new Link(id);
    this.ui = store(FIRST);
    this.turn = Promise.resolve();
    this.run = 0;
    this.link.onFrame((frame) => frame.type === "snapshot" && this.begin(frame));
  }

  get known() {
    return this.link.known.get();
  }

  /** One begins in the office that one was appointed to, which is the first of those that one holds. */
  begin({ facts, you }) {
    loadLaw(facts.book);
    const [own] = you.roles ?? [];
    if (own && !you.roles.includes(this.ui.get().role)) this.ui.change({ role: own });
  }

  type(line, yes = false) {
    if (/^(help|\?)/i.test(line.trim())) {
      this.ui.change({ sheet: "keys" });
      return Promise.resolve({ ok: true });
    }
    return this.send({ type: "line", line }, yes);
  }

  /** What Enter does follows from the table; the page asks for no more than that. */
  enter() {
    return this.type("");
  }

  /** An empty line is Enter, as in the terminal. */
  enterIfDue() {
    if (this.known.you?.desk && this.known.table?.enter && !this.ui.get().question) this.enter();
  }

  /** A decision that is closed says why, and nothing is sent. */
  decide(key) {
    const closed = this.closed(key);
    if (!closed) return this.type(key);
    this.refuse(closed);
    return null;
  }

  /** Why a decision is closed to the hand in turn. */
  closed(key) {
    return this.known.you?.choices?.find((one) => one.key === key)?.closed;
  }

  /** Why a card in some way, the cutting card, an empty shoe or an absent player cannot be put on record now. */
  barred(key) {
    return this.known.you?.barred?.[key];
  }

  /** What a key of the console records, unless it is barred: then it says why. */
  press(key, act) {
    const barred = this.barred(key);
    if (barred) this.refuse(barred);
    else act();
  }

  way(way) {
    this.press(way, () => this.ui.change({ way, misplaced: "", refusal: null }));
  }

  cuttingCard() {
    this.press("cut", () => this.type("cut"));
  }

  emptyShoe() {
    this.press("empty", () => this.ask({ type: "ShoeRunsOut" }));
  }

  absent() {
    const [box, hand] = this.known.table.turn ?? [];
    this.press("absent", () => this.type(`${placeOf(box, hand)} absent`));
  }

  refuse(said) {
    this.ui.change({ refusal: said });
    if (said.clauses?.length) read("Last refusal", said.clauses);
  }

  /** The dealer's own acts are the dealer's, whatever office is chosen for orders. */
  ask(command, role = "dealer") {
    return this.send({ type: "ask", command, role });
  }

  /** One after another, however fast they are typed; what was typed behind a refusal is dropped with it. */
  send(message, yes = false) {
    const { run } = this;
    this.turn = this.turn.then(() => (run === this.run ? this.carryOut(message, yes) : { ok: false, why: "dropped" }));
    return this.turn;
  }

  async carryOut(message, yes) {
    this.ui.change({ refusal: null, question: null });
    const reply = await this.link.request("desk", message, yes);
    if (!reply.ok) this.run += 1;
    if (!reply.ok && reply.why === "question") this.ui.change({ question: { said: reply.said, message } });
    else if (!reply.ok && reply.why !== "lost") {
      this.refuse(reply.said ?? { words: "The table has moved on; nothing was done." });
      if (reply.why === "refused") this.note(reply);
    }
    return reply;
  }

  /** What was refused is on record, and in the log where it was. */
  note({ n, said }) {
    const line = { n, event: "Refused", phase: this.known.lines.at(-1)?.phase, refused: true, ...said };
    this.ui.change({ refusals: [...this.ui.get().refusals, line] });
  }

  /** The lines of the round one by one, with what was refused here. */
  recorded() {
    const { lines } = this.known;
    const refused = this.ui.get().refusals.filter(({ n }) => n >= (lines[0]?.n ?? 0));
    return [...lines.filter(isTold), ...refused].sort((one, other) => one.n - other.n);
  }

  answer(yes) {
    const { question } = this.ui.get();
    this.ui.change({ question: null });
    if (yes && question) this.send(question.message, true);
  }

  /** A card in the way that is chosen; after one card it falls as dealt again. */
  card(card) {
    this.ui.change({ rank: "" });
    this.press(this.ui.get().way, () => this.fall(card));
  }

  fall(card) {
    const { way } = this.ui.get();
    if (way === "misplaced") {
      this.ui.change({ misplaced: card });
      return;
    }
    const lines = { dealt: card, up: `${card}^`, error: `error ${card}`, burnt: `burnt ${card}`, overdrawn: `overdraw ${card}` };
    this.ui.change({ way: "dealt" });
    this.type(lines[way]);
  }

  /** Where the card lies that fell on a wrong hand. */
  lieOn(place) {
    const { misplaced } = this.ui.get();
    if (!misplaced) return;
    this.ui.change({ misplaced: "", way: "dealt" });
    this.type(`${misplaced} on ${place}`);
  }
}
