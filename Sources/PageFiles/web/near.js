// Near me: the nearest places, stores or cities to a point on the map, with filters from facets.
import { fetchJSON, get, latestOnly } from "./api.js";
import { openCard } from "./card.js";
import { byId, distance, element, price, showError, showRequests, stateChanged } from "./dom.js";
import { countFacets, filters, isKind, kind, makeFilters, soughtProducts } from "./filters.js";
import { opening } from "./hours.js";
import { center, dot, goTo, layer, map, pin } from "./map.js";
import { comeCloser, groupPins } from "./pins.js";
import { reveal } from "./sheet.js";
import { colorsById, sizesLeft } from "./values.js";
import { language, t } from "./words.js";

/** The number of answers of a request. */
const pageLength = 20;
const latest = latestOnly();
let answers;
let point;
let shown;
/** The colors of the found products, by product id. */
let colorsOf = new Map();

/** Reads the colors of the filtered products, which answers do not have. */
async function readColors(signal) {
  if (!kind().hasPrice) return;
  const wanted = get("/v1/products", { ...soughtProducts(), limit: 100, fields: "id,colors" });
  const { items } = await fetchJSON(wanted, signal).catch(() => ({ items: [] }));
  colorsOf = colorsById(items);
}

/** Shows no answers, but why the price is refused. */
function refusePrice() {
  latest(() => Promise.resolve());
  clear();
  byId("near-request").replaceChildren();
  byId("near-status").textContent = t("priceBad");
}

/** Searches from a point, and shows the answers in the list and on the map. */
async function askNear(place) {
  const isNew = point?.lat !== place.lat || point?.lon !== place.lon;
  point = place;
  stateChanged(isNew);
  // Without a maximum, a price that the field refuses would find what costs more.
  if (!byId("near-form").reportValidity()) return refusePrice();
  shown = get(kind().path, { ...place, ...filters(), limit: pageLength });
  byId("near-status").textContent = t("asking");
  try {
    const [found] = await latest((signal) => Promise.all([fetchJSON(shown, signal), readColors(signal)]));
    list(found, true);
    if (isNew) reveal(byId("near-status"));
  } catch (error) {
    if (error.name !== "AbortError") clear();
    showError(byId("near-status"), error);
  }
  showRequests(byId("near-request"), shown);
}

const groupAnswers = () => groupPins(answers.getLayers().filter(({ options }) => options.icon));

function clear() {
  answers.clearLayers();
  byId("near-answers").replaceChildren();
  byId("near-more").hidden = true;
}

function list({ items, cursor }, isFirst) {
  const lines = byId("near-answers");
  if (isFirst) {
    clear();
    answers.addLayer(dot(point, "accent", 6, t("here"), { fillOpacity: 0.2 }));
  }
  for (const item of items) {
    const line = described(item);
    lines.append(line);
    join(line, pin(item, lines.childElementCount).addTo(answers));
  }
  groupAnswers();
  byId("near-more").hidden = !cursor;
  byId("near-more").onclick = () => more(cursor);
  const nearest = lines.querySelector("button");
  // Cities come without further pages.
  const isCut = cursor || items.length === pageLength;
  const found = { count: lines.childElementCount, name: nearest?.textContent, distance: nearest?.dataset.distance };
  byId("near-status").textContent = nearest ? t(isCut ? "foundFirst" : "found", found) : t("nothing");
}

/** Highlights a line of the list and its pin together; the last chosen one stays highlighted. */
function join(line, mark) {
  const button = line.querySelector("button");
  const lit = (isLit) => {
    for (const one of [line, mark.getElement()]) one?.classList.toggle("lit", isLit);
    mark.setZIndexOffset(isLit ? 1000 : 0);
  };
  const isChosen = () => button.getAttribute("aria-current") === "true";
  const choose = () => {
    const before = byId("near-answers").querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.dispatchEvent(new Event("blur"));
    button.setAttribute("aria-current", "true");
    lit(true);
  };
  for (const [one, on, off] of [[line, "mouseenter", "mouseleave"], [button, "focus", "blur"]]) {
    one.addEventListener(on, () => lit(true));
    one.addEventListener(off, () => lit(isChosen()));
  }
  mark.on("mouseover", () => lit(true)).on("mouseout", () => lit(isChosen()));
  mark.on("click", () => {
    if (comeCloser(mark)) return;
    button.focus();
    button.click();
  });
  button.addEventListener("click", choose);
}

async function more(cursor) {
  const next = { ...shown, parameters: { ...shown.parameters, cursor } };
  try { list(await latest((signal) => fetchJSON(next, signal)), false); } catch (error) {
    showError(byId("near-status"), error);
  }
}

/** Moves the map to an answer and opens its card. */
function show(item) {
  goTo(item, 15);
  openCard(item.id === undefined ? "city" : "place", item);
}

/** An answer as a line of the list. */
function described(item) {
  const far = distance(item.distance_m);
  const button = element(
    "button", { type: "button", "data-distance": far, onclick: () => show(item) },
    item.country ? `${item.name}, ${item.country}` : item.name);
  const people = item.population && t("people", { count: item.population.toLocaleString(language()) });
  const facts = element("small", {}, [far, item.address, people, opening(item)].filter(Boolean).join(" · "));
  return element("li", {}, button, facts, ...(item.products ?? []).map(product));
}

function product({ id, brand, name, price: minor, currency, sizes }) {
  const cost = minor !== undefined && currency ? price(minor, currency) : "";
  const facts = [[brand, name].filter(Boolean).join(" "), colorsOf.get(id), cost, sizesLeft(sizes)];
  return element("small", {}, facts.filter(Boolean).join(" · "));
}

export const near = {
  start() {
    answers = layer();
    map.on("zoomend", groupAnswers);
    const form = byId("near-form");
    form.addEventListener("change", async ({ target }) => {
      if (target.name !== "what" && !form.reportValidity()) return;
      await (target.name === "what" ? makeFilters() : countFacets());
      if (point) askNear(point);
      else stateChanged();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      // Enter in a filter keeps the point; the button searches at the center.
      const isFilter = byId("near-filters").contains(document.activeElement);
      askNear(isFilter && point ? point : center());
    });
  },
  choose(place) {
    near.prepare();
    return askNear(place);
  },
  /** Makes the filters if there are none yet. */
  prepare: () => byId("near-filters").childElementCount ? undefined : makeFilters(),
  open(isRestored) {
    if (isRestored) return;
    near.prepare();
    if (point) askNear(point);
  },
  close() {
    latest(() => Promise.resolve());
    answers.clearLayers();
  },
  state: () => ({ ...Object.fromEntries(new FormData(byId("near-form"))), at: point && `${point.lat},${point.lon}` }),
  async restore({ what, at, ...wanted }) {
    const form = byId("near-form");
    form.elements.what.value = isKind(what ?? "") ? what : "places";
    await makeFilters(wanted);
    const [lat, lon] = (at ?? "").split(",").map(Number);
    if (at && Number.isFinite(lat) && Number.isFinite(lon)) return askNear({ lat, lon });
    point = undefined;
    near.close();
    clear();
    byId("near-status").textContent = "";
    return byId("near-request").replaceChildren();
  },
  async refresh() {
    await makeFilters(near.state());
    if (point && !byId("near").hidden) askNear(point);
  },
};
