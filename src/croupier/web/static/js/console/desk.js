// The dealer's desk at one table: the connection, in which office one acts, and what a press or a line sends.
import { Link } from "../kit/link.js";
import { loadLaw } from "../kit/laws.js";
import { store } from "../kit/store.js";
import { read } from "../parts/clause.js";

const FIRST = { role: "", way: "dealt", rank: "", misplaced: "", refusal: null, question: null, sheet: "", tab: "round", orders: false, drawer: false };

const NOT_OFFERED = { words: "It is not among the choices of this moment.", clauses: [] };

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
    return this.send({ type: "line", line }, yes);
  }

  /** What Enter does follows from the table; the page asks for no more than that. */
  enter() {
    return this.type("");
  }

  /** An empty line is Enter, as in the terminal. */
  enterIfDue() {
    if (this.known.table?.enter && !this.ui.get().question) this.enter();
  }

  /** A decision that is closed says why, and nothing is sent. */
  decide(key) {
    const closed = this.closed(key);
    if (!closed) return this.type(key);
    this.refuse(closed);
    return null;
  }

  /** Why a decision is closed to the hand in turn; what is not listed at all is not offered. */
  closed(key) {
    const choices = this.known.you?.choices ?? [];
    const choice = choices.find((one) => one.key === key);
    return choice ? choice.closed : choices.length ? NOT_OFFERED : null;
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
    }
    return reply;
  }

  answer(yes) {
    const { question } = this.ui.get();
    this.ui.change({ question: null });
    if (yes && question) this.send(question.message, true);
  }

  /** A card in the way that is chosen; after one card it falls as dealt again. */
  card(card) {
    const { way } = this.ui.get();
    if (way === "misplaced") {
      this.ui.change({ misplaced: card });
      return;
    }
    const lines = { dealt: card, up: `${card}^`, error: `error ${card}`, burnt: `burnt ${card}`, overdrawn: `overdraw ${card}` };
    this.ui.change({ way: "dealt", rank: "" });
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
