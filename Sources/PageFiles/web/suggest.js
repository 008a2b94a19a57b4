// Suggestions for a field: people whose names begin with the typed text.
import { fetchJSON, get, latestOnly } from "./api.js";
import { byId, element } from "./dom.js";

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
