// The card of a city.
import { element } from "./dom.js";
import { language, t } from "./words.js";

/** The address that opens Near me with a search around a place. */
export const addressNear = ({ lat, lon }, zoom) => `#near/${zoom}/${lat}/${lon}?what=places&at=${lat},${lon}`;

/** The name of a country in the reader's language, by its code. */
export function countryName(code) {
  try { return new Intl.DisplayNames(language(), { type: "region" }).of(code); } catch { return code; }
}

export function cityCard(city) {
  const facts = [city.country && countryName(city.country),
    city.population && t("people", { count: city.population.toLocaleString(language()) })];
  return {
    name: city.name, at: city,
    children: [
      element("p", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
      element("p", { class: "row" }, element("a", { class: "action", href: addressNear(city, 13) }, t("searchAround"))),
    ],
  };
}
