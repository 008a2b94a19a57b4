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
/** The error of the last counts in the status line; empty after a success. */
let fault = "";

export const isKind = (name) => Object.hasOwn(kinds, name);

export const kind = () => kinds[new FormData(byId("near-form")).get("what")];

/** A typed price with a decimal comma or point; undefined if it is none, or could have a separator of thousands. */
function priceTyped(text) {
  const [all, whole, part = "0"] = text.trim().match(/^(\d{1,9})(?:[.,](\d{1,2}))?$/) ?? [];
  return all && Number(`${whole}.${part}`);
}

/** The filters as parameters; a price is sent with its currency. */
export function filters() {
  const { what: _, ...chosen } = Object.fromEntries(new FormData(byId("near-form")));
  const most = priceTyped(chosen.price_max ?? "");
  if (most === undefined) delete chosen.price_max;
  else chosen.price_max = Math.round(most * minorUnits(chosen.currency || "XXX"));
  if (most === undefined) delete chosen.currency;
  return chosen;
}

/** The field for the maximum price, whose currency is named beside it. */
function priceField(value) {
  const field = element("input", { name: "price_max", inputmode: "decimal", autocomplete: "off", value });
  const isBad = () => field.value.trim() && priceTyped(field.value) === undefined;
  const check = () => field.setCustomValidity(isBad() ? t("priceBad") : "");
  field.addEventListener("input", check);
  check();
  return labelled("priceMost", field);
}

/** Names the currency of the maximum price. */
function writeCurrency() {
  const currency = facets.get("currency")?.value();
  const words = [t("priceMost"), currency && `(${currency})`].filter(Boolean).join(" ");
  if (facets.has("currency")) byId("near-form").elements.price_max.previousElementSibling.textContent = words;
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
      controls.push(priceField(wanted.price_max), facets.get("currency").box);
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
    writeCurrency();
    // The line may have other words in the meantime.
    if (byId("near-status").textContent === fault) byId("near-status").textContent = "";
    fault = "";
  } catch (error) {
    showError(byId("near-status"), error);
    if (error.name !== "AbortError") fault = byId("near-status").textContent;
  }
}
