// The card of a person: the last contact with its precision, the track, and the strangers' view.
import { command, escaped, fetchJSON, get } from "./api.js";
import { age, definitions, distance, element, initials, instant, showError, showRequests, time } from "./dom.js";
import { cellArea, circle, dot, goTo, line, map, meters } from "./map.js";
import { photo } from "./photos.js";
import { shareBox } from "./share-box.js";
import { t } from "./words.js";

/** The length of the drawn track, before the last position, in milliseconds. */
const trackTime = 86_400_000;

/** The cell that strangers see, in words; only services may request it. */
export function discoveryCell(answer) {
  if (!answer) return { position: t("notAllowed") };
  if (!answer.cell) return { position: t("notShown") };
  const [first, second] = answer.cell.corners;
  const seen = answer.seen ? `seen_${answer.seen.replace(" ", "_")}` : "seen_never";
  return { position: t("cellOf", { width: distance(meters(first, second)) }), seen: t(seen) };
}

const uncertainty = (place) => place.uncertainty_m ?? place.accuracy_m;

/** A position in words: time, precision and place. */
function facts(place) {
  const seen = place.seen_until ?? place.at;
  const radius = uncertainty(place);
  return definitions({
    seen: seen && `${age(seen)} (${time(seen)})`,
    precision: place.precision && [t(`precision_${place.precision}`), radius !== undefined && `± ${distance(radius)}`]
      .filter(Boolean).join(", "),
    position: `${place.lat}, ${place.lon}`,
  });
}

/** The address of a person's history. */
const addressOf = (id, { lat, lon }) => `#person/14/${lat}/${lon}?id=${escaped(id)}&days=7`;

export async function personCard(item, drawn, signal) {
  const path = `/v1/people/${escaped(item.id)}`;
  const wanted = command("POST", "/v1/query", { queries: [{ position: item.id }, { person: item.id }] });
  const [{ answers: [position, person] }, sharing] = await Promise.all([fetchJSON(wanted, signal), shareBox(item.id, signal)]);
  const known = person.status ? item : person;
  let last = position.status ? undefined : position;
  const full = [known.name, known.surname].filter(Boolean).join(" ") || item.id;
  if (last && !map.getBounds().contains([last.lat, last.lon])) goTo(last, 14);

  const face = await photo(known.photo, element("span", { class: "initials", "aria-hidden": true }, initials(full)));
  const list = element("dl", {}, ...last ? facts(last) : []);
  const more = element("div", { "aria-live": "polite" });
  const requests = element("div");
  /** A button that draws layers, and removes them when pressed again. */
  const toggle = (key, draw) => {
    let layers = [];
    const button = element("button", { type: "button", "aria-pressed": false }, t(key));
    button.addEventListener("click", async () => {
      const isOn = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", isOn);
      more.replaceChildren();
      for (const one of layers) drawn.removeLayer(one);
      try { layers = isOn ? await draw() : []; } catch (error) {
        layers = [];
        showError(more, error);
      }
      // The card may have been closed in the meantime.
      if (!button.isConnected || button.getAttribute("aria-pressed") !== "true") layers = [];
      for (const one of layers) drawn.addLayer(one);
    });
    return button;
  };
  const track = async () => {
    const from = instant(new Date(last.since ?? last.at) - trackTime);
    const { items } = await fetchJSON(get(`${path}/history`, { datetime: `${from}/..`, limit: 10000 }), signal);
    more.textContent = items.length === 1 ? t("trackOne") : t("trackOf", { count: items.length });
    return items.length ? [line([...items, last], "person")] : [];
  };
  const strangers = async () => {
    const cell = await fetchJSON(get(`${path}/cell`), signal);
    more.append(element("dl", {}, ...definitions(discoveryCell(cell))));
    return cell.cell ? [cellArea(cell.cell.corners, t("strangerSees"))] : [];
  };
  showRequests(requests, wanted, get(`${path}/history`), get(`${path}/cell`));
  const around = last && circle(last, "person", uncertainty(last) ?? 0).addTo(drawn);
  const point = last && dot(last, "person", 6, undefined, { interactive: false }).addTo(drawn);
  return {
    name: full, at: last,
    onMove(place) {
      last = place;
      around?.setLatLng([place.lat, place.lon]).setRadius(uncertainty(place) ?? 0);
      point?.setLatLng([place.lat, place.lon]);
      list.replaceChildren(...facts(place));
    },
    children: [
      element("p", { class: "face" }, face,
        element("span", {}, [item.id === full ? "" : item.id, known.city].filter(Boolean).join(" · "))),
      last ? list : element("p", {}, t("noPosition")),
      ...last ? [element("p", { class: "row" }, toggle("showTrack", track), toggle("showStrangers", strangers),
        element("a", { class: "action", href: addressOf(item.id, last) }, t("wholePast")))] : [],
      more, ...sharing ? [sharing] : [], requests,
    ],
  };
}
