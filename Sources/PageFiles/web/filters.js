// The filters of Near me: few values as chips, many as a list, with their counts.
import { fetchJSON, get, latestOnly } from "./api.js";
import { byId, element, minorUnits, showError } from "./dom.js";
import { hasMap, viewport } from "./map.js";
import { inOrder, sizeName, valueName } from "./values.js";
import { language, t } from "./words.js";

/** For each kind of answer: the paths of the search and of its facet counts, and its filters. */
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

/** The maximum number of values shown as chips. */
const mostChips = 5;
const counting = latestOnly();
let facets = new Map();

export const isKind = (name) => Object.hasOwn(kinds, name);

export const kind = () => kinds[new FormData(byId("near-form")).get("what")];

/** The filters as parameters; a price is sent with its currency. */
export function filters() {
  const chosen = Object.fromEntries([...new FormData(byId("near-form"))].filter(([name]) => name !== "what"));
  if (chosen.price_max) chosen.price_max = Math.round(chosen.price_max * minorUnits(chosen.currency || "XXX"));
  else delete chosen.currency;
  return chosen;
}

/** The filters of products while stores are searched by stock; otherwise empty. */
export function soughtProducts() {
  if (byId("near").hidden || !kind().hasPrice) return {};
  const { open_now: _, ...sought } = filters();
  return Object.fromEntries(Object.entries(sought).filter(([, value]) => value !== ""));
}

/** The name of a value of a facet. */
const named = (facet, value) =>
  facet === "size" ? value.replace(/[^:]+$/, sizeName).replace(":", " ") : valueName(value);

/** A facet's box: chips until there are too many values, from then on a list. */
function facet(name, key, mayBeAny) {
  const heading = element("span", { id: `of-${name}` }, t(key));
  const box = element("div", { class: "facet", hidden: true }, heading);
  let select;

  const options = (values) => [
    ...mayBeAny ? [{ value: "", label: t("any") }] : [],
    ...values.map(({ value, count }) =>
      ({ value, label: `${named(name, value)} (${count.toLocaleString(language())})` })),
  ];
  const chip = (chosen) => ({ value, label }) => element("label", { class: "chip" },
    element("input", { type: "radio", name, value, checked: value === chosen }), element("span", {}, label));

  return {
    box,
    value: () => box.querySelector("select, input:checked")?.value ?? "",
    fill(values, chosen = this.value()) {
      const isThere = !chosen || values.some(({ value }) => value === chosen);
      const all = isThere ? values : [{ value: chosen, count: 0 }, ...values];
      // A single value filters nothing.
      box.hidden = all.length < 2 && !(mayBeAny && chosen);
      if (select || all.length > mostChips) {
        select ??= element("select", { name, id: `facet-${name}`, "aria-labelledby": heading.id });
        select.replaceChildren(...options(all).map(({ value, label }) => element("option", { value }, label)));
        select.value = chosen || select.options[0]?.value;
        box.replaceChildren(heading, select);
      } else {
        const group = element("div", { role: "radiogroup", "aria-labelledby": heading.id, class: "chips" });
        const hadFocus = box.contains(document.activeElement);
        group.append(...options(all).map(chip(chosen || (mayBeAny ? "" : all[0]?.value))));
        box.replaceChildren(heading, group);
        if (hadFocus) group.querySelector(":checked")?.focus();
      }
    },
  };
}

const labelled = (name, control) => element("label", {}, element("span", {}, t(name)), control);

/** Makes the controls of the chosen kind of answer, with `wanted` values. */
export function makeFilters(wanted = {}) {
  const { facets: names, hasPrice } = kind();
  facets = new Map(names.map((name) => [name, facet(name, `facet_${name}`, true)]));
  const controls = [...facets.values()].map(({ box }) => box);
  if (names.length) {
    controls.unshift(labelled("words", element("input", { name: "q", type: "search", value: wanted.q })));
    if (hasPrice) {
      facets.set("currency", facet("currency", "currency", false));
      const most = element("input", { name: "price_max", type: "number", min: 0, step: 0.01, value: wanted.price_max });
      controls.push(labelled("priceMost", most), facets.get("currency").box);
    }
    const isOpen = element("input", { name: "open_now", type: "checkbox", value: "true", checked: wanted.open_now === "true" });
    controls.push(element("label", { class: "chip" }, isOpen, element("span", {}, t("openNow"))));
  }
  byId("near-filters").replaceChildren(...controls);
  for (const [name, one] of facets) if (wanted[name]) one.fill([], wanted[name]);
  return countFacets();
}

/** Values in display order: sizes from small to large, others by frequency. */
const ordered = (name, values) => name === "size" ? inOrder(values, ({ value }) => value) : values;

/** Requests the count of each value, given the other filters. */
export async function countFacets() {
  const { counts, inView } = kind();
  if (!counts || !hasMap) return;
  const { open_now, ...wanted } = filters();
  const more = inView ? { bbox: viewport(), open_now } : {};
  try {
    const answer = await counting((signal) =>
      fetchJSON(get(counts, { ...wanted, ...more, facet: [...facets.keys()].join(","), limit: 100 }), signal));
    for (const [name, one] of facets) one.fill(ordered(name, answer.facets[name] ?? []));
  } catch (error) { showError(byId("near-status"), error); }
}
