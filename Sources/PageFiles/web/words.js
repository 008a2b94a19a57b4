// The words of the page, under the same keys in its two languages.
import { en } from "./en.js";
import { es } from "./es.js";

const words = { en, es };
let chosen = "en";

/** The language that is shown. */
export const language = () => chosen;

/** Chooses by a tag such as `es-MX`; English for languages that are not there. */
export function setLanguage(tag) {
  const name = tag.slice(0, 2);
  chosen = name in words ? name : "en";
}

/** The words of a key, with values in place of `{names}`. */
export const t = (key, values = {}) => words[chosen][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
