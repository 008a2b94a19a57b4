// Near me: what is nearest to a place on the map, narrowed down by what there is.
import { ask, newest, question } from "./api.js";
import { byId, distance, element, minorUnits, price, remember, showFault, showRequests, zonedTime } from "./dom.js";
import { dot, goTo, hasMap, layer, middle, pin, viewport } from "./map.js";
import { language, t } from "./words.js";

/** For each kind of answer: where it is asked for, where its facets are counted, and what else narrows it down. */
const kinds = {
  places: {
    path: "/v1/places/nearest", counts: "/v1/places/facets", inView: true, facets: ["kind", "category", "tag"],
  },
  stores: {
    path: "/v1/stores/nearest", counts: "/v1/products/facets", hasPrice: true,
    facets: ["category", "color", "size", "brand", "material", "gender"],
  },
  cities: { path: "/v1/cities", facets: [] },
};

const asking = newest();
const counting = newest();
const suggesting = newest();
let answers;
let point;
let shown;

const kind = () => kinds[new FormData(byId("near-form")).get("what")];

/** The filters as parameters; a price needs its currency. */
function filters() {
  const chosen = Object.fromEntries([...new FormData(byId("near-form"))].filter(([name]) => name !== "what"));
  if (chosen.price_max) chosen.price_max = Math.round(chosen.price_max * minorUnits(chosen.currency || "XXX"));
  else delete chosen.currency;
  return chosen;
}

const labelled = (name, control) => element("label", {}, element("span", {}, t(name)), control);

/** The controls of a kind of answer, which `countFacets` fills. */
function makeFilters() {
  const { facets, hasPrice } = kind();
  const controls = facets.map((name) => labelled(`facet_${name}`, element("select", { name, id: `facet-${name}` })));
  if (facets.length) {
    controls.push(labelled("words", element("input", { name: "q", type: "search" })));
    if (hasPrice) {
      controls.push(
        labelled("priceMost", element("input", { name: "price_max", type: "number", min: 0, step: 0.01 })),
        labelled("currency", element("select", { name: "currency", id: "facet-currency" })));
    }
    const isOpen = element("input", { name: "open_now", type: "checkbox", value: "true" });
    controls.push(element("label", { class: "check" }, isOpen, element("span", {}, ` ${t("openNow")}`)));
  }
  byId("near-filters").replaceChildren(...controls);
  return countFacets();
}

/** Counts what each filter would find, the others as they are. */
async function countFacets() {
  const { counts, facets, inView, hasPrice } = kind();
  if (!counts || !hasMap) return;
  const { open_now, ...wanted } = filters();
  const names = hasPrice ? [...facets, "currency"] : facets;
  const more = inView ? { bbox: viewport(), open_now } : {};
  try {
    const answer = await counting((signal) =>
      ask(question(counts, { ...wanted, ...more, facet: names.join(","), limit: 100 }), signal));
    for (const name of names) fill(byId(`facet-${name}`), answer.facets[name] ?? [], name !== "currency");
  } catch (error) { showFault(byId("near-status"), error); }
}

function fill(select, values, mayBeAny) {
  if (!select) return;
  const chosen = select.value;
  if (chosen && !values.some(({ value }) => value === chosen)) values = [{ value: chosen, count: 0 }, ...values];
  const options = values.map(({ value, count }) => element("option", { value }, `${value} (${count})`));
  if (mayBeAny) options.unshift(element("option", { value: "" }, t("any")));
  select.replaceChildren(...options);
  if (chosen) select.value = chosen;
}

/** Asks what is nearest to a place, and shows it in the list and on the map. */
async function askNear(place) {
  const isNew = point?.lat !== place.lat || point?.lon !== place.lon;
  point = place;
  remember(isNew);
  shown = question(kind().path, { ...place, ...filters(), limit: 20 });
  byId("near-status").textContent = t("asking");
  try { show(await asking((signal) => ask(shown, signal)), true); } catch (error) {
    if (error.name !== "AbortError") clear();
    showFault(byId("near-status"), error);
  }
  showRequests(byId("near-request"), shown);
}

function clear() {
  answers.clearLayers();
  byId("near-answers").replaceChildren();
  byId("near-more").hidden = true;
}

function show({ items, cursor }, isFirst) {
  const list = byId("near-answers");
  if (isFirst) {
    clear();
    answers.addLayer(dot(point, "accent", 6, t("here"), { fillOpacity: 0.2 }));
  }
  for (const item of items) {
    const line = described(item);
    list.append(line);
    join(line, pin(item, list.childElementCount).addTo(answers));
  }
  byId("near-more").hidden = !cursor;
  byId("near-more").onclick = () => more(cursor);
  const nearest = list.querySelector("button");
  const found = { count: list.childElementCount, name: nearest?.textContent, distance: nearest?.dataset.distance };
  byId("near-status").textContent = nearest ? t("found", found) : t("nothing");
}

/** Lights up a line of the list and its pin together; the one that was chosen last stays lit. */
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
  mark.on("click", () => { choose(); button.focus(); });
  button.addEventListener("click", choose);
}

async function more(cursor) {
  const next = { ...shown, parameters: { ...shown.parameters, cursor } };
  try { show(await asking((signal) => ask(next, signal)), false); } catch (error) {
    showFault(byId("near-status"), error);
  }
}

/** An answer as a line of the list. */
function described(item) {
  const far = distance(item.distance_m);
  const button = element(
    "button", { type: "button", "data-distance": far, onclick: () => goTo(item, 15) },
    item.country ? `${item.name}, ${item.country}` : item.name);
  const people = item.population && t("people", { count: item.population.toLocaleString(language()) });
  const facts = element("small", {}, [far, item.address, people, opening(item)].filter(Boolean).join(" · "));
  return element("li", {}, button, facts, ...(item.products ?? []).map(product));
}

/** Whether a place is open and until when, on its own clock. */
function opening({ open, opens_at, closes_at, timezone, timezone_guessed }) {
  const zone = timezone ?? timezone_guessed;
  if (open === true) return closes_at ? t("openUntil", { time: zonedTime(closes_at, zone) }) : t("open");
  if (open === false) return opens_at ? t("opensAt", { time: zonedTime(opens_at, zone) }) : t("closed");
  return undefined;
}

function product({ brand, name, price: minor, currency, sizes }) {
  const cost = minor !== undefined && currency ? price(minor, currency) : "";
  const left = Object.entries(sizes ?? {}).map(([size, count]) => `${size} × ${count}`).join(", ");
  return element("small", {}, [[brand, name].filter(Boolean).join(" "), cost, left].filter(Boolean).join(" · "));
}

/** The cities whose name begins as typed, in the list of the field. */
async function suggest() {
  const name = byId("city").value.trim();
  if (!name) return undefined;
  try {
    const { items } = await suggesting((signal) =>
      ask(question("/v1/cities", { q: name.split(",")[0], limit: 20 }), signal));
    const full = (city) => `${city.name}, ${city.country}`;
    byId("cities").replaceChildren(...items.map((city) => element("option", { value: full(city) })));
    return items.find((city) => full(city) === name) ?? items[0];
  } catch (error) { showFault(byId("near-status"), error); }
  return undefined;
}

export const near = {
  start() {
    answers = layer();
    const form = byId("near-form");
    form.addEventListener("change", async ({ target }) => {
      if (target.name !== "what" && !form.reportValidity()) return;
      await (target.name === "what" ? makeFilters() : countFacets());
      if (point) askNear(point);
      else remember();
    });
    form.addEventListener("submit", (event) => { event.preventDefault(); askNear(middle()); });
    byId("city").addEventListener("input", suggest);
    byId("city-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const city = await suggest();
      if (city) goTo(city, 13);
    });
  },
  choose: askNear,
  open() { if (point) askNear(point); },
  close() {
    asking(() => Promise.resolve());
    answers.clearLayers();
  },
  state: () => ({ ...Object.fromEntries(new FormData(byId("near-form"))), at: point && `${point.lat},${point.lon}` }),
  async restore({ what, at, ...wanted }) {
    const form = byId("near-form");
    form.elements.what.value = Object.hasOwn(kinds, what ?? "") ? what : "places";
    await makeFilters();
    for (const control of byId("near-filters").querySelectorAll("[name]")) {
      const value = wanted[control.name] ?? "";
      if (control.type === "checkbox") control.checked = value === control.value;
      else if (control.tagName === "SELECT" && value) control.replaceChildren(element("option", { value }, value));
      else control.value = value;
    }
    await countFacets();
    const [lat, lon] = (at ?? "").split(",").map(Number);
    if (at && Number.isFinite(lat) && Number.isFinite(lon)) return askNear({ lat, lon });
    point = undefined;
    near.close();
    clear();
    byId("near-status").textContent = "";
    return byId("near-request").replaceChildren();
  },
  async refresh() {
    await makeFilters();
    if (point && !byId("near").hidden) askNear(point);
  },
};
