// The names of people whom events mention by their ids.
import { command, fetchJSON, token } from "./api.js";

/** Names that are asked for at once at most. */
const most = 1000;
const names = new Map();
/** The token for which the names were returned, and the request for the newest of them. */
let [of, pending] = [undefined, Promise.resolve()];

/** The name of a person, or the id while it is not known. */
export const nameOf = (id) => names.get(id) ?? id;

/** Keeps a name that an answer has; none is left to be asked for. */
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

/** Asks for the names that are not known; the promise is kept when `nameOf` has those that the caller may see. */
export function learnNames(ids) {
  keepName();
  const unknown = [...new Set(ids)].filter((id) => id && !names.has(id)).slice(0, most);
  // Each is asked for once, also if there is no name.
  for (const id of unknown) names.set(id, id);
  if (unknown.length) pending = Promise.all([pending, read(unknown)]);
  return pending;
}
