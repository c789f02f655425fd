// What clauses say, asked for once a rulebook.
import { get } from "./http.js";
import { store } from "./store.js";

export const laws = store({});

export async function loadLaw(book) {
  if (laws.get()[book]) return laws.get()[book];
  const law = await get(`/api/rules/${encodeURIComponent(book)}`);
  const count = {};
  for (const { document } of law.clauses) count[document] = (count[document] ?? 0) + 1;
  const main = Object.keys(count).sort((a, b) => count[b] - count[a])[0];
  const byName = Object.fromEntries(law.clauses.map((clause) => [clause.short, clause]));
  laws.change({ [book]: { ...law, byName, main } });
  return laws.get()[book];
}
