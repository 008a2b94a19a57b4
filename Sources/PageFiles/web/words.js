// The texts of the page, under the same keys in both languages.
import { en } from "./en.js";
import { es } from "./es.js";
import { officeEn } from "./office-en.js";
import { officeEs } from "./office-es.js";

const words = { en: { ...en, ...officeEn }, es: { ...es, ...officeEs } };
let chosen = "en";

/** The language of the page. */
export const language = () => chosen;

/** Chooses the language by a tag such as `es-MX`; English for unknown ones. */
export function setLanguage(tag) {
  const name = tag.slice(0, 2);
  chosen = name in words ? name : "en";
}

/** The keys with a text for a count of one. */
const singulars = new Set([
  "found_one", "inStock_one", "officeChecked_one", "officeImported_one", "officeWaiting_one", "searchFound_one",
  "sizeLeft_one",
]);

/** The text of a key, with values in place of `{names}`; `key_one` has the text for a `count` of one. */
export function t(key, values = {}) {
  const isOne = String(values.count) === "1" && singulars.has(`${key}_one`);
  return words[chosen][isOne ? `${key}_one` : key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Whether a key has a text. */
export const has = (key) => Object.hasOwn(words[chosen], key);
