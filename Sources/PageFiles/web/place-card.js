// The card of a place: opening hours, phone, directions, attributes and stock.
import { command, escaped, fetchJSON, get } from "./api.js";
import { addressNear } from "./city.js";
import { copyable, definitions, element, showRequests } from "./dom.js";
import { soughtProducts } from "./filters.js";
import { hoursRead, inWords, opening, today } from "./hours.js";
import { goTo, map } from "./map.js";
import { stockParts, stockQueries } from "./stock.js";
import { valueName } from "./values.js";
import { t } from "./words.js";

/** The maximum number of attributes shown. */
const mostAttributes = 8;

/** A link to another site or program, opened without a referrer. */
const outward = (href, key) =>
  element("a", { class: "action", href, target: "_blank", rel: "noopener noreferrer" }, t(key));

export async function placeCard(item, drawn, signal) {
  const place = item.lat === undefined ? await fetchJSON(get(`/v1/places/${escaped(item.id)}`), signal) : item;
  const around = { lat: place.lat, lon: place.lon, within_m: 1, limit: 100 };
  const sought = item.sought ?? soughtProducts();
  const wanted = command("POST", "/v1/query", { queries: [
    { place: item.id },
    ...place.lat === undefined ? [] : [
      { nearest: "places", ...around, fields: ["id", "open", "opens_at", "closes_at", "timezone", "timezone_guessed"] },
      ...stockQueries(around, sought),
    ],
  ] });
  const [whole, ...rest] = (await fetchJSON(wanted, signal)).answers;
  if (whole.status) throw Object.assign(new Error(whole.detail), whole);
  const [now, ...stores] = rest.map(({ items }) => items?.find(({ id }) => id === item.id));
  if (whole.lat !== undefined && !map.getBounds().contains([whole.lat, whole.lon])) goTo(whole, 15);
  const requests = element("div");
  showRequests(requests, wanted);
  return {
    name: whole.name, at: whole.lat === undefined ? undefined : whole,
    children: [
      element("p", { class: "quiet" }, [valueName(whole.category ?? whole.kind), whole.address].filter(Boolean).join(" · ")),
      whole.lat === undefined ? element("p", { class: "quiet" }, t("placeUnplaced")) : "",
      ...openingLines({ ...whole, ...now }), ...reach(whole),
      element("dl", {}, ...attributes(whole)), 
      ...await stockParts(item.id, stores.map((store) => store?.products), sought), requests,
    ],
  };
}

function openingLines(place) {
  if (place.hours && place.hours_understood === false) {
    const note = element("span", { class: "quiet" }, t("hoursUnread"));
    return [element("p", { class: "lines" }, note, element("span", {}, place.hours))];
  }
  const [now, day] = [opening(place), today(place)];
  const state = now && element("strong", { class: place.open ? "is-open" : "is-closed" }, now);
  const lines = [state, day && element("span", {}, day)];
  const week = place.hours && element("details", {}, element("summary", {}, t("allHours")),
    ...hoursRead(place).split(";").map((rule) => element("div", {}, inWords(rule.trim()))));
  return [element("p", { class: "lines" }, ...lines.filter(Boolean)), ...week ? [week] : []];
}

/** A button that copies the link to a place, and the line that shows it; no page shows the place of a person to all. */
function linkParts({ id, owner }) {
  const line = element("div", { role: "status" });
  const copy = () => {
    line.replaceChildren(...copyable(owner ? location.href : `${location.origin}/p/${escaped(id)}`));
    line.lastElementChild.click();
  };
  return [element("button", { type: "button", onclick: copy }, t("copyLink")), line];
}

/** Phone, directions and link. */
function reach(place) {
  const { name, lat, lon, attributes: { phone } = {} } = place;
  const links = [];
  if (typeof phone === "string") {
    const href = `tel:${escaped(phone.replace(/[^+\d]/g, ""))}`;
    links.push(element("a", { class: "action", href }, `${t("call")} ${phone}`));
  }
  if (lat !== undefined) {
    links.push(
      element("a", { class: "action", href: `geo:${lat},${lon}?q=${lat},${lon}(${escaped(name)})` }, t("openInMaps")),
      outward(`https://www.openstreetmap.org/directions?to=${lat},${lon}`, "directions"),
      element("a", { class: "action", href: addressNear({ lat, lon }, 15) }, t("searchAround")));
  }
  const [copy, line] = linkParts(place);
  return [element("p", { class: "row" }, ...links, copy), line];
}

/** Tags and attributes of a place, except those shown elsewhere on the card. */
function attributes({ tags, attributes: others = {} }) {
  const isShown = (name, value) => name !== "phone" && (typeof value !== "object" || Array.isArray(value));
  const rows = Object.entries(others).filter(([name, value]) => isShown(name, value))
    .slice(0, mostAttributes)
    .flatMap(([name, value]) => [
      element("dt", {}, name.replace(/_/g, " ")), element("dd", {}, [value].flat().map(valueName).join(", "))]);
  return [...definitions({ facet_tag: tags?.length && tags.map(valueName).join(", ") }), ...rows];
}
