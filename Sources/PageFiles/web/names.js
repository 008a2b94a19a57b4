// The names of people mentioned by id in events.
import { command, fetchJSON, token } from "./api.js";

/** The maximum number of names requested at once. */
const most = 1000;
const names = new Map();
/** The token for which the names are known, and the pending requests. */
let [of, pending] = [undefined, Promise.resolve()];

/** The name of a person, or the id while the name is unknown. */
export const nameOf = (id) => names.get(id) ?? id;

/** Keeps a name from an answer; without arguments only forgets the names of another token. */
export function keepName(id, name) {
  if (of !== token()) names.clear();
  of = token();
  if (name) names.set(id, name);
}

async function read(ids) {
  const answers = await fetchJSON(command("POST", "/v1/query", { queries: ids.map((person) => ({ person })) }))
    .then((answer) => answer.answers, () => []);
  answers.forEach(({ name }, index) => keepName(ids[index], name));
}

/** Requests unknown names; the promise resolves when `nameOf` knows those that the caller may see. */
export function learnNames(ids) {
  keepName();
  const unknown = [...new Set(ids)].filter((id) => id && !names.has(id)).slice(0, most);
  // Each id is requested once, even if it has no name.
  for (const id of unknown) names.set(id, id);
  if (unknown.length) pending = Promise.all([pending, read(unknown)]);
  return pending;
}
