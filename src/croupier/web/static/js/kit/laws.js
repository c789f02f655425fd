// What clauses say, asked for once a rulebook.
import { get } from "./http.js";
import { store } from "./store.js";

export const laws = store({});

export async function loadLaw(book) {
  if (laws.get()[book]) return laws.get()[book];
  const law = await get(`/api/rules/${encodeURIComponent(book)}`);
  const byName = Object.fromEntries(law.clauses.map((clause) => [clause.short, clause]));
  laws.change({ [book]: { ...law, byName } });
  return laws.get()[book];
}
