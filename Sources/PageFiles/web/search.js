// The search box: cities, places, stores by their products, and people, during typing.
import { command, fetchJSON, latestOnly } from "./api.js";
import { openCard } from "./card.js";
import { countryName } from "./city.js";
import { byId, distance, element, plain, price, showError } from "./dom.js";
import { center, goTo, mapAddress, meters } from "./map.js";
import { colorsById, sizesLeft, valueName } from "./values.js";
import { cityCuts, wish } from "./wish.js";
import { language, t } from "./words.js";

/** The pause in typing before a request, and the wait until a slow one is reported, in milliseconds. */
const [pause, slowThreshold] = [150, 400];
const latest = latestOnly();
let timer;
let found = [];
/** The index of the line chosen by arrow keys; -1 for none. */
let active = -1;
/** Whether Enter was pressed before the answer came. */
let isAwaited = false;

const box = () => byId("search-box");
const text = () => box().value.trim();

/** The queries for stores that have a product. */
const storeParts = ({ words, size }, around) => words ? [
  { nearest: "stores", ...around, q: words, size, limit: 3 },
  // A store's answer does not have the colors of its products.
  { list: "products", q: words, size, limit: 100, fields: ["id", "colors"] },
] : [];

/** The queries of a batch. */
const parts = (q) => [
  { list: "cities", q, limit: 3 },
  { list: "places", q, limit: 4, fields: ["id", "kind", "name", "address", "lat", "lon"] },
  ...storeParts(wish(q), center()),
  { list: "people", q, limit: 3 },
];

const kinds = { cities: "city", places: "place", stores: "place", people: "person" };

/** A line of the list: its card, name and note; `colors` are the products' colors by id. */
function lineOf(part, item, colors) {
  const kind = kinds[part.list ?? part.nearest];
  const offer = item.products?.[0];
  const sought = part.nearest && { q: part.q, ...part.size && { size: part.size } };
  const notes = {
    cities: () => [countryName(item.country), t("people", { count: item.population.toLocaleString(language()) })],
    places: () => [item.address ?? valueName(item.kind)],
    stores: () => [[offer?.brand, offer?.name].filter(Boolean).join(" "), colors.get(offer?.id),
      part.size && sizesLeft(offer?.sizes), offer?.currency && price(offer.price, offer.currency),
      distance(item.distance_m), item.address],
    people: () => [item.city ?? item.id],
  }[part.list ?? part.nearest]();
  const name = kind === "person" ? [item.name, item.surname].filter(Boolean).join(" ") || item.id : item.name;
  const note = notes.filter(Boolean).join(" · ");
  return { kind, item: { ...item, sought }, name, label: kindName(kind, item), note };
}

const kindName = (kind, item) => t(`is_${kind === "place" && item.kind === "store" ? "store" : kind}`);

/** The line that opens all stores in Near me, if there are more than the box shows. */
function allStores(queries, answers) {
  const index = queries.findIndex(({ nearest }, at) => nearest && answers[at].cursor);
  if (index < 0) return [];
  const { items: [first] } = answers[index];
  const { q, lat, lon, size } = queries[index];
  const found = size && Object.keys(first.products?.[0]?.sizes ?? {})[0];
  const filters = { what: "stores", q, ...size && { size: found ?? size }, at: `${lat},${lon}` };
  const { lat: here, lon: there } = center();
  const view = lat === here && lon === there ? mapAddress() : `12/${lat}/${lon}`;
  const href = `#near/${view}?${new URLSearchParams(filters)}`;
  return [{ kind: "all", name: t("searchAll", { q: text() }), href }];
}

/** The rank of a line: people in the view Person, then whole names, then first names of people. */
function rank({ kind, name }, q) {
  const [given, wanted] = [plain(name), plain(q)];
  if (kind === "person" && document.body.dataset.view === "person") return 0;
  if (given === wanted) return 1;
  return kind === "person" && given.startsWith(`${wanted} `) ? 2 : 3;
}

/** Sends queries; returns them with their answers. */
async function ask(queries, signal) {
  if (!queries.length) return { queries, answers: [] };
  const { answers } = await fetchJSON(command("POST", "/v1/query", { queries }), signal);
  return { queries, answers };
}

/** Whether there are answers of a kind. */
const has = ({ queries, answers }, kind) =>
  answers.some(({ items = [] }, index) => items.length && kind(queries[index]));
const isFound = (all) => has(all, ({ list }) => list !== "products");

/** Searches without the size if no store has the product in it; `note` says so. */
async function askStores(wanted, around, first, signal) {
  const isStores = ({ nearest }) => nearest;
  if (!wanted.size || has(first, isStores)) return first;
  const more = await ask(storeParts({ words: wanted.words }, around), signal);
  if (!has(more, isStores)) return first;
  return {
    queries: [...first.queries, ...more.queries], answers: [...first.answers, ...more.answers],
    note: t("searchSizeless", { size: wanted.size }),
  };
}

/** Searches for a text, then without its size, then without a city at its end, around which stores are searched. */
async function askAll(q, signal) {
  const all = await askStores(wish(q), center(), await ask(parts(q), signal), signal);
  const cuts = cityCuts(q);
  if (isFound(all) || !cuts.length) return all;
  const { answers } = await ask(cuts.map(({ city }) => ({ list: "cities", q: city, limit: 10 })), signal);
  for (const [index, { rest, city }] of cuts.entries()) {
    const namesakes = (answers[index].items ?? []).filter(({ name }) => plain(name) === plain(city));
    const [place] = namesakes.sort((a, b) => meters(a, center()) - meters(b, center()));
    if (!place) continue;
    const [wanted, around] = [wish(rest), { lat: place.lat, lon: place.lon }];
    const there = await askStores(wanted, around, await ask(storeParts(wanted, around), signal), signal);
    if (!isFound(there)) continue;
    return { ...there, note: [t("searchNear", { city: place.name }), there.note].filter(Boolean).join(" ") };
  }
  return all;
}

/** Searches for the text; a refused query, such as for people, is left out. */
async function find() {
  const q = text();
  if (!q) return close();
  const slow = setTimeout(() => show(t("asking")), slowThreshold);
  try {
    const { queries, answers, note } = await latest((signal) => askAll(q, signal));
    const isProducts = (index) => queries[index].list === "products";
    const colors = colorsById(answers.flatMap(({ items = [] }, index) => isProducts(index) ? items : []));
    const lines = answers.flatMap(({ items = [] }, index) =>
      isProducts(index) ? [] : items.map((item) => lineOf(queries[index], item, colors)));
    lines.sort((a, b) => rank(a, q) - rank(b, q));
    // A store found by its product replaces the same store found by name.
    const kept = lines.filter((line, index) => line.kind !== "place" || !lines.some((other, later) =>
      later > index && other.kind === "place" && other.item.id === line.item.id));
    found = [...kept, ...allStores(queries, answers)];
    const status = kept.length ? t("searchFound", { count: kept.length }) : t("searchNothing", { q });
    show([note, status].filter(Boolean).join(" "));
    if (isAwaited && found.length) choose(found[0]);
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    found = [];
    show("");
    showError(byId("search-status"), error);
  } finally { clearTimeout(slow); }
  isAwaited = false;
  return undefined;
}

function show(status) {
  byId("search-list").replaceChildren(...found.map((line, index) =>
    element("li", { role: "option", id: `search-${index}`, "aria-selected": "false", onclick: () => choose(line) },
      element("span", { class: `mark ${line.kind}`, "aria-hidden": true }),
      element("span", {}, element("span", { class: "name" }, line.name),
        line.kind === "all" ? "" : element("small", {}, [line.label, line.note].filter(Boolean).join(" · "))))));
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
  latest(() => Promise.resolve());
  byId("search-answers").hidden = true;
  box().setAttribute("aria-expanded", false);
  mark(-1);
}

/** Empties the box, whose text is no longer needed once another card or view is open. */
function clear() {
  close();
  box().value = "";
  [found, isAwaited] = [[], false];
}

/** Marks a line, so that screen readers announce it. */
function mark(index) {
  active = index;
  for (const [at, line] of [...byId("search-list").children].entries()) line.setAttribute("aria-selected", at === index);
  if (index < 0) return box().removeAttribute("aria-activedescendant");
  box().setAttribute("aria-activedescendant", `search-${index}`);
  return byId(`search-${index}`).scrollIntoView({ block: "nearest" });
}

function choose({ kind, item, name, href }) {
  close();
  if (href) {
    location.hash = href;
    return;
  }
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

/** Repeats the search of an open list. */
export const refreshSearch = () => byId("search-answers").hidden ? undefined : find();

export function startSearch() {
  box().addEventListener("input", () => {
    clearTimeout(timer);
    latest(() => Promise.resolve());
    [found, isAwaited] = [[], false];
    if (text()) timer = setTimeout(find, pause);
    else close();
  });
  box().addEventListener("keydown", press);
  document.addEventListener("stateChanged", ({ detail }) => { if (detail && document.activeElement !== box()) clear(); });
  box().addEventListener("blur", close);
  box().addEventListener("focus", () => { if (found.length) open(); });
  // A click on a line leaves the focus in the box, so that the list stays open until the click is handled.
  byId("search-answers").addEventListener("mousedown", (event) => event.preventDefault());
}
