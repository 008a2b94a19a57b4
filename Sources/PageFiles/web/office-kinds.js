// The kinds of documents in the back office: their paths, and the members that a table shows.
import { escaped } from "./api.js";
import { age, price, time } from "./dom.js";
import { choiceName, valueName } from "./values.js";
import { has, language, t } from "./words.js";

/**
 * For each kind: the path templates of its list and of one document, the parameter that searches the list (without one
 * the loaded rows are searched), the columns, the parts of a document, and the kind that it is a part of.
 */
export const kinds = {
  people: {
    list: "/v1/people", item: "/v1/people/{id}", search: "q", limit: 50, batched: "person",
    columns: ["id", "name", "surname", "city", "at"], parts: ["devices", "ownFences"],
  },
  places: {
    list: "/v1/places", item: "/v1/places/{id}", search: "q", limit: 50, batched: "place",
    columns: ["id", "kind", "name", "category", "address"], parts: ["stock"],
  },
  products: {
    list: "/v1/products", item: "/v1/products/{id}", search: "q", limit: 50, batched: "product",
    columns: ["id", "brand", "name", "category", "price"],
  },
  fences: { list: "/v1/fences", item: "/v1/fences/{id}", limit: 50, search: "person", columns: ["id", "people", "on", "note"] },
  webhooks: {
    list: "/v1/webhooks", item: "/v1/webhooks/{id}", limit: 1000, columns: ["id", "url", "types", "disabled"],
    parts: ["deliveries"], fixed: ["disabled"],
  },
  stock: {
    list: "/v1/stores/{id}/stock", item: "/v1/stores/{id}/stock/{product}", key: "product", whole: "places",
    columns: ["product", "price", "quantity", "sizes"],
  },
  ownFences: {
    list: "/v1/people/{id}/fences", item: "/v1/people/{id}/fences/{fence}", limit: 1000, whole: "people",
    columns: ["id", "people", "on", "note"],
  },
};

/** A path template filled with ids. */
export const filled = (path, ...ids) => ids.reduce((text, id) => text.replace(/\{\w+\}/, () => escaped(id)), path);

/** The member that identifies a document of a kind. */
export const keyOf = (kind) => kind.key ?? "id";

/** The label of a member; a member unknown to the page is shown under its name in the API. */
export const labelOf = (name) => has(`officeField_${name}`) ? t(`officeField_${name}`) : name.replaceAll("_", " ");

/** The heading of a column; a table shows prices with their currencies, a form takes minor units. */
export const headingOf = (name) => name === "price" ? t("officePrice") : labelOf(name);

/** The field that a pointer such as `/attributes/weight` names, in words. */
export const pathName = ([first, ...others]) => [labelOf(first), ...others].join(" › ");

/** Members whose common values have names in the page's language. */
const names = {
  category: valueName, colors: valueName, gender: valueName, kind: valueName, materials: valueName, tags: valueName,
  on: choiceName, relationship: choiceName, sex: choiceName,
};

/** Whether a member has catalog values, which forms take as they are kept. */
export const isNamed = (name) => names[name] === valueName;

/** The text of a member in a table. */
export function shown(row, name) {
  const value = row[name];
  if (value === undefined) return "";
  if (name === "price" && row.currency) return price(value, row.currency);
  if (["at", "last_heard_at"].includes(name)) return age(value);
  if (name === "since") return time(value);
  if (typeof value === "boolean") return t(value ? "yes" : "officeNo");
  if (typeof value === "number") return value.toLocaleString(language());
  const named = names[name] ?? String;
  if (Array.isArray(value)) return value.map((one) => typeof one === "object" ? JSON.stringify(one) : named(one)).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([key, one]) => `${key}: ${JSON.stringify(one)}`).join(", ");
  return named(value);
}

