// The words of the page, under the same keys in its two languages.
import { en } from "./en.js";
import { es } from "./es.js";
import { officeEn } from "./office-en.js";
import { officeEs } from "./office-es.js";

const words = { en: { ...en, ...officeEn }, es: { ...es, ...officeEs } };
let chosen = "en";

/** The language that is shown. */
export const language = () => chosen;

/** Chooses by a tag such as `es-MX`; English for languages that are not there. */
export function setLanguage(tag) {
  const name = tag.slice(0, 2);
  chosen = name in words ? name : "en";
}

/** The keys of words for a count of one. */
const singulars = new Set([
  "found_one", "inStock_one", "officeChecked_one", "officeImported_one", "officeWaiting_one", "searchFound_one",
  "sizeLeft_one",
]);

/** The words of a key, with values in place of `{names}`; `key_one` has those for a `count` of one. */
export function t(key, values = {}) {
  const isOne = String(values.count) === "1" && singulars.has(`${key}_one`);
  return words[chosen][isOne ? `${key}_one` : key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Whether there are words for a key. */
export const has = (key) => Object.hasOwn(words[chosen], key);
