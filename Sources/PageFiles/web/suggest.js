// Suggestions for a field: people whose names begin with the typed text.
import { command, fetchJSON, get, latestOnly } from "./api.js";
import { byId, element, plain } from "./dom.js";
import { t } from "./words.js";

/** The text up to the last comma, and the name being typed after it. */
function split(text) {
  const typed = text.slice(text.lastIndexOf(",") + 1).trimStart();
  return [text.slice(0, text.length - typed.length), typed.trim()];
}

/** Suggests people in the `datalist` of a field; several are separated by commas. */
export function suggestPeople(field) {
  const latest = latestOnly();
  const list = byId(field.getAttribute("list"));
  field.addEventListener("input", async () => {
    const [before, q] = split(field.value);
    if (!q) return;
    try {
      const { items } = await latest((signal) => fetchJSON(get("/v1/people", { q, limit: 20 }), signal));
      list.replaceChildren(...items.map(({ id, name, surname, city }) =>
        element("option", { value: before + id }, [name, surname, city].filter(Boolean).join(" "))));
    } catch { /* An id can be typed without suggestions. */ }
  });
}

const fullName = ({ name, surname }) => plain([name, surname].filter(Boolean).join(" ")).replace(/\s+/g, " ");

/** The people whose name is, or else contains, the typed words. */
function called(typed, people) {
  const words = plain(typed).split(/\s+/);
  const exact = people.filter((one) => fullName(one) === words.join(" "));
  return exact.length ? exact : people.filter((one) => words.every((word) => fullName(one).split(" ").includes(word)));
}

/** A typed id, or the id of the one person with a typed name; throws an error with `isName` for nobody or several. */
function idFrom(typed, person, people) {
  if (person.id) return person.id;
  const found = called(typed, people);
  if (found.length === 1) return found[0].id;
  // An id may be unknown, such as of somebody who is added later.
  if (!found.length && /^[A-Za-z0-9._-]{1,64}$/.test(typed)) return typed;
  const list = [...found.slice(0, 3).map(({ id }) => id), ...found.length > 3 ? ["…"] : []].join(", ");
  const words = t(found.length ? "namedSeveral" : "namedNobody", { name: typed, list });
  throw Object.assign(new Error(words), { isName: true });
}

/** The ids of people typed as ids or names, separated by commas. */
export async function idsOf(text) {
  const typed = text.split(",").map((one) => one.trim()).filter(Boolean);
  if (!typed.length) return [];
  const queries = typed.flatMap((one) => [{ person: one }, { list: "people", q: one, limit: 20 }]);
  const { answers } = await fetchJSON(command("POST", "/v1/query", { queries }));
  return typed.map((one, index) => idFrom(one, answers[2 * index], answers[2 * index + 1].items ?? []));
}
