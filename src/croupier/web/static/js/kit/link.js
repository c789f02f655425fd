// The connection to a table: says hello, asks, waits for replies, and comes back when it is lost.
import { apply, NOTHING } from "./frames.js";
import { store } from "./store.js";

const RETRY = [1, 2, 4, 8, 10];
const QUIET = 1500;
const PATIENCE = 4000;
const PING = 20000;
const FINAL = new Set(["elsewhere", "closed"]);
/** What cannot be sent is not kept for later: nobody waits for an answer to it. */
const UNSENT = { words: "The connection is lost; nothing was done." };

let serial = 0;
const newId = () => `${Date.now().toString(36)}-${(serial += 1).toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

export class Link {
  /** `known` holds the frames' state, `line` how the connection is: live, quiet, lost or away. */
  constructor(table) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${table}/socket`;
    this.known = store(NOTHING);
    this.line = store({ state: "opening", retryAt: 0 });
    this.sent = store({});
    this.waiting = new Map();
    this.frames = new Set();
    this.tries = 0;
    this.connect();
    setInterval(() => this.say({ type: "ping" }), PING);
  }

  onFrame(listen) {
    this.frames.add(listen);
    return () => this.frames.delete(listen);
  }

  connect() {
    clearTimeout(this.again);
    this.drop();
    this.socket = new WebSocket(this.url);
    this.socket.onopen = () => this.say({ type: "hello", seen: this.known.get().n });
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = () => this.lose();
  }

  /** An attempt that is still under way is given up: two would send each other away. */
  drop() {
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
  }

  say(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  hear(frame) {
    const before = this.known.get();
    this.known.set(apply(before, frame));
    if (this.known.get().gap) {
      this.say({ type: "hello", seen: before.n });
      return;
    }
    if (frame.type === "snapshot") {
      clearTimeout(this.soon);
      this.tries = 0;
      this.line.set({ state: "live", retryAt: 0 });
    }
    for (const listen of this.frames) listen(frame, before);
    if (frame.reply) this.answer(frame.reply);
  }

  lose() {
    const { bye } = this.known.get();
    for (const id of [...this.waiting.keys()]) this.answer({ id, ok: false, why: "lost" });
    if (bye && FINAL.has(bye.why)) {
      this.line.set({ state: bye.why, retryAt: 0 });
      return;
    }
    const wait = RETRY[Math.min(this.tries, RETRY.length - 1)] * 1000;
    this.tries += 1;
    const retryAt = Date.now() + wait;
    if (this.line.get().state === "live") {
      this.line.set({ state: "quiet", retryAt });
      this.soon = setTimeout(() => this.line.set({ ...this.line.get(), state: "lost" }), QUIET);
    } else {
      this.line.set({ state: this.line.get().state === "quiet" ? "quiet" : "lost", retryAt });
    }
    this.again = setTimeout(() => this.connect(), wait);
  }

  /** One request; the promise is kept by its reply. `what` names the control that was pressed. */
  request(what, message, yes = false) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.resolve({ ok: false, why: "lost", what, said: UNSENT });
    const id = newId();
    const full = { ...message, id, seen: this.known.get().n, ...(yes ? { yes: true } : {}) };
    this.sent.change({ [id]: { what, late: false } });
    const late = setTimeout(() => this.sent.change({ [id]: { what, late: true } }), PATIENCE);
    return new Promise((resolve) => {
      this.waiting.set(id, { resolve, late, what, message });
      this.say(full);
    });
  }

  answer(reply) {
    const request = this.waiting.get(reply.id);
    if (!request) return;
    clearTimeout(request.late);
    this.waiting.delete(reply.id);
    const { [reply.id]: _, ...rest } = this.sent.get();
    this.sent.set(rest);
    request.resolve({ ...reply, what: request.what, message: request.message });
  }
}
