// One search box: cities, places, stores by what they have, and people, while one types.
import { ask, command, newest } from "./api.js";
import { openCard } from "./card.js";
import { countryName } from "./city.js";
import { byId, distance, element, price, showFault } from "./dom.js";
import { goTo, middle } from "./map.js";
import { language, t } from "./words.js";

/** How long a reader stops typing before the service is asked, and how long it takes until that is said, in milliseconds. */
const [pause, patience] = [150, 400];
const asking = newest();
let timer;
let found = [];
/** The line that the arrows chose; -1 for none. */
let active = -1;
/** Whether Enter was pressed before the answer came. */
let isAwaited = false;

const box = () => byId("search-box");
const text = () => box().value.trim();

/** The parts of a query; a number such as 37 is a size of what stores have. */
function parts(q) {
  const size = q.match(/(?:^|\s)((?:EU:)?\d\d(?:\.5)?)(?=\s|$)/i)?.[1];
  const words = size ? q.replace(size, "").trim() : q;
  return [
    { list: "cities", q, limit: 3 },
    { list: "places", q, limit: 4, fields: ["id", "kind", "name", "address", "lat", "lon"] },
    words && { nearest: "stores", ...middle(), q: words, size: size?.toUpperCase(), limit: 3 },
    { list: "people", q, limit: 3 },
  ].filter(Boolean);
}

const kinds = { cities: "city", places: "place", stores: "place", people: "person" };

/** A line of the list: its card, its name and what is said beside it. */
function lineOf(part, item) {
  const kind = kinds[part.list ?? part.nearest];
  const offer = item.products?.[0];
  const notes = {
    cities: () => [countryName(item.country), t("people", { count: item.population.toLocaleString(language()) })],
    places: () => [item.address ?? item.kind],
    stores: () => [[offer?.brand, offer?.name].filter(Boolean).join(" "),
      offer?.currency && price(offer.price, offer.currency), distance(item.distance_m)],
    people: () => [item.city ?? item.id],
  }[part.list ?? part.nearest]();
  const name = kind === "person" ? [item.name, item.surname].filter(Boolean).join(" ") || item.id : item.name;
  return { kind, item, name, note: notes.filter(Boolean).join(" · ") };
}

const plain = (name) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The rank of a line: people in their view, then whole names, then first names of people. */
function rank({ kind, name }, q) {
  const [given, wanted] = [plain(name), plain(q)];
  if (kind === "person" && document.body.dataset.view === "person") return 0;
  if (given === wanted) return 1;
  return kind === "person" && given.startsWith(`${wanted} `) ? 2 : 3;
}

/** Asks for what a text finds; a part that is refused, such as people, is left out. */
async function find() {
  const q = text();
  if (!q) return close();
  const slow = setTimeout(() => show(t("asking")), patience);
  try {
    const queries = parts(q);
    const { answers } = await asking((signal) => ask(command("POST", "/v1/query", { queries }), signal));
    const lines = answers.flatMap(({ items = [] }, index) => items.map((item) => lineOf(queries[index], item)));
    lines.sort((a, b) => rank(a, q) - rank(b, q));
    // A store with the product says more than the same store by its name.
    found = lines.filter((line, index) => line.kind !== "place" || !lines.some((other, later) =>
      later > index && other.kind === "place" && other.item.id === line.item.id));
    show(found.length ? t("searchFound", { count: found.length }) : t("searchNothing", { q }));
    if (isAwaited && found.length) choose(found[0]);
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    found = [];
    show("");
    showFault(byId("search-status"), error);
  } finally { clearTimeout(slow); }
  isAwaited = false;
  return undefined;
}

function show(status) {
  byId("search-list").replaceChildren(...found.map((line, index) =>
    element("li", { role: "option", id: `search-${index}`, "aria-selected": "false", onclick: () => choose(line) },
      element("span", { class: `mark ${line.kind}`, "aria-hidden": true }),
      element("span", {}, element("span", { class: "name" }, line.name),
        element("small", {}, `${t(`is_${line.kind}`)} · ${line.note}`)))));
  byId("search-status").textContent = status;
  mark(-1);
  open();
}

function open() {
  byId("search-answers").hidden = false;
  box().setAttribute("aria-expanded", found.length > 0);
}

function close() {
  clearTimeout(timer);
  asking(() => Promise.resolve());
  byId("search-answers").hidden = true;
  box().setAttribute("aria-expanded", false);
  mark(-1);
}

/** Empties the box, whose text is of no use any more once another card or view is open. */
function clear() {
  close();
  box().value = "";
  [found, isAwaited] = [[], false];
}

/** Marks a line, which a screen reader then reads. */
function mark(index) {
  active = index;
  for (const [at, line] of [...byId("search-list").children].entries()) line.setAttribute("aria-selected", at === index);
  if (index < 0) return box().removeAttribute("aria-activedescendant");
  box().setAttribute("aria-activedescendant", `search-${index}`);
  return byId(`search-${index}`).scrollIntoView({ block: "nearest" });
}

function choose({ kind, item, name }) {
  close();
  if (item.lat !== undefined) goTo(item, kind === "city" ? 12 : 16);
  openCard(kind, { ...item, name });
}

function press(event) {
  const { key } = event;
  const isOpen = !byId("search-answers").hidden;
  if (key === "Escape") {
    if (isOpen) close();
    else box().value = "";
  } else if (key === "Enter") {
    if (isOpen && found.length) choose(found[Math.max(0, active)]);
    else if (text()) {
      isAwaited = true;
      clearTimeout(timer);
      find();
    }
  } else if (found.length && ["ArrowDown", "ArrowUp"].includes(key)) {
    const step = key === "ArrowDown" ? 1 : -1;
    open();
    mark(active < 0 && step < 0 ? found.length - 1 : (active + step + found.length) % found.length);
  } else return;
  event.preventDefault();
}

/** Asks again for what the open list could not show. */
export const refreshSearch = () => byId("search-answers").hidden ? undefined : find();

export function startSearch() {
  box().addEventListener("input", () => {
    clearTimeout(timer);
    asking(() => Promise.resolve());
    [found, isAwaited] = [[], false];
    if (text()) timer = setTimeout(find, pause);
    else close();
  });
  box().addEventListener("keydown", press);
  document.addEventListener("remember", ({ detail }) => { if (detail && document.activeElement !== box()) clear(); });
  box().addEventListener("blur", close);
  box().addEventListener("focus", () => { if (found.length) open(); });
  // A click on a line leaves the focus in the box, so that the list stays until it is chosen.
  byId("search-answers").addEventListener("mousedown", (event) => event.preventDefault());
}
