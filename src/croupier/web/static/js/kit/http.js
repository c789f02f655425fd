// Requests to the server. What it refuses comes back as a Problem: its words, its clauses, the field it is about.
import { store } from "./store.js";

export const me = store(null);

export class Problem extends Error {
  constructor(status, { words = "The server does not answer.", clauses = [], field = "" } = {}) {
    super(words);
    this.status = status;
    this.words = words;
    this.clauses = clauses;
    this.field = field;
  }
}

async function request(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Problem(0);
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, body);
  return body;
}

export const get = (path) => request(path);

export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": (me.get() ?? (await loadMe())).csrf };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

export async function loadMe() {
  me.set(await get("/api/me"));
  return me.get();
}
