// One table as this page plays it: the connection, what the page itself remembers, and what a press does.
import { Link } from "../kit/link.js";
import { loadLaw } from "../kit/laws.js";
import { store } from "../kit/store.js";
import { read } from "../parts/clause.js";
import { toldTo } from "../parts/log.js";
import { Bets } from "./bets.js";
import { speakFrames } from "./speak.js";
import { idOf } from "./stages.js";
import { moved } from "./sums.js";
import { chipsTravel } from "./travel.js";

const FIRST = {
  tab: "", drawer: false, sheet: "", shown: null, refusal: null, question: null, amounts: {}, amountOf: "",
  dispute: false, repeats: false, back: null, shaken: "", last: null, told: null, why: null,
};

/** When one question to you follows another, presses that began for the last one are dropped. */
const SETTLE_INTO_TURN = 250;

const IN_PLAY = ["dealing", "offers", "playing", "dealer"];

export class Game {
  constructor(id) {
    this.id = id;
    this.link = new Link(id);
    this.ui = store(FIRST);
    this.bets = new Bets(this);
    this.turnSince = 0;
    this.wasLost = false;
    this.link.line.watch(({ state }) => {
      if (state !== "lost" && state !== "elsewhere") return;
      this.wasLost = true;
      this.ui.change({ back: null });
    });
    this.link.onFrame((frame, before) => this.follow(frame, before));
    speakFrames(this);
    chipsTravel(this);
  }

  get known() {
    return this.link.known.get();
  }

  follow(frame, before) {
    const { facts, table } = this.known;
    if (frame.type === "snapshot") {
      loadLaw(facts.book);
      if (this.wasLost) this.ui.change({ back: this.missed(before.n) });
      this.wasLost = false;
    }
    if (frame.type !== "news") this.repeatIfWanted();
    if (frame.type !== "news" && frame.type !== "snapshot") return;
    if (table.stage === "settled") this.remember();
    const moved = String(before.table?.turn) !== String(table.turn) || before.table?.stage !== table.stage;
    if (!moved) return;
    if (before.you?.choices?.some((one) => !one.closed)) this.turnSince = performance.now();
    this.ui.change({ shown: null, refusal: null, amounts: {}, amountOf: "", question: null, told: null, why: null, tab: "", dispute: false });
    if (IN_PLAY.includes(table.stage)) this.ui.change({ repeats: false });
  }

  /** Bets that were to be repeated are laid when bets are open and their spots are known. */
  repeatIfWanted() {
    const { table, you } = this.known;
    if (!this.ui.get().repeats || table.stage !== "betting" || !you?.spots?.length) return;
    this.ui.change({ repeats: false });
    this.bets.repeat();
  }

  /** What the round brought, for the time when its lines are gone. */
  remember() {
    const { lines, table, you } = this.known;
    const { mine, own } = moved(lines, table, you?.name);
    this.ui.change({ last: mine.length ? { net: own } : null });
  }

  /** What happened to this player's boxes after a line, in the table's words. */
  missed(seen) {
    const { lines, table, you } = this.known;
    const mine = new Set(table.boxes.filter((box) => box.seat === you.name).map((box) => box.number));
    return lines.filter((line) => line.n > seen && mine.has(line.box)).map((line) => toldTo(line, you.name)).slice(-2).join("; ");
  }

  /** Is something under way that a second press could double? */
  get busy() {
    return Object.keys(this.link.sent.get()).length > 0;
  }

  command(choice) {
    const [field] = Object.keys(choice.free ?? {});
    return field ? { ...choice.command, [field]: this.amount(choice) } : choice.command;
  }

  /** What a choice would carry: what was set, else what it comes with, else all that may be. */
  amount(choice) {
    const [[field, { low, high }]] = Object.entries(choice.free);
    return this.ui.get().amounts[idOf(choice)] ?? choice.command[field] ?? high ?? low;
  }

  set(choice, amount) {
    this.ui.change({ amounts: { ...this.ui.get().amounts, [idOf(choice)]: amount } });
  }

  step(choice, direction) {
    const { low, high, step = 1 } = choice.free.amount;
    this.set(choice, Math.max(low, Math.min(high ?? Infinity, this.amount(choice) + direction * step)));
  }

  press(choice) {
    if (choice.closed) {
      this.show(choice);
      return;
    }
    if (this.busy || performance.now() - this.turnSince < SETTLE_INTO_TURN) return;
    if (choice.command.type) this.ask(idOf(choice), this.command(choice));
    else this.done(idOf(choice));
  }

  ask(what, command, yes = false) {
    return this.send(what, { type: "ask", command }, yes);
  }

  done(what = "done") {
    return this.send(what, { type: "done" });
  }

  moreTime() {
    return this.busy ? null : this.send("more", { type: "more" });
  }

  async send(what, message, yes = false) {
    this.ui.change({ refusal: null, question: null, told: null, why: null });
    const reply = await this.link.request(what, message, yes);
    this.hearReply(reply);
    return reply;
  }

  hearReply(reply) {
    if (reply.ok) {
      if (reply.said) this.tell(reply.said);
      return;
    }
    if (reply.why === "question") {
      this.ui.change({ question: { said: reply.said, what: reply.what, message: reply.message } });
      return;
    }
    if (reply.why === "lost" && !reply.said) return;
    const said = reply.said ?? { words: "The table has moved on; nothing was done." };
    this.ui.change({ refusal: { what: reply.what, said, why: reply.why }, shaken: reply.what });
    if (said.clauses?.length) read("Last refusal", said.clauses);
  }

  /** What was done, where it is not all that was asked for. */
  tell(said) {
    this.ui.change({ told: said });
    if (said.clauses?.length) read("Clause last opened", said.clauses.slice(0, 1));
  }

  answerQuestion(yes) {
    const { question } = this.ui.get();
    this.ui.change({ question: null });
    if (yes && question) this.send(question.what, question.message, true);
  }

  /** What the strip tells of: the action under the pointer or the focus. */
  show(choice) {
    this.ui.change({ shown: choice ? idOf(choice) : null, refusal: choice ? null : this.ui.get().refusal });
    if (choice?.closed?.clauses?.length) read(`Why not ${choice.label.toLowerCase()}`, choice.closed.clauses);
  }

  unshow(choice) {
    if (this.ui.get().shown === idOf(choice)) this.ui.change({ shown: null });
  }
}
