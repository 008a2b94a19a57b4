// The places in view: dots while they are few, otherwise clusters with counts.
import { fetchJSON, get, latestOnly } from "./api.js";
import { element, plain } from "./dom.js";
import { dot, goTo, layer, map, showAll, viewport } from "./map.js";
import { language, t } from "./words.js";

const L = window.L;

/** The maximum number of places drawn one by one. */
const most = 300;

/** A cluster with the number of its places; a click zooms in. */
function cluster(one, choose) {
  const number = one.count.toLocaleString(language(), { notation: "compact" });
  const width = 26 + 8 * Math.min(3, Math.floor(Math.log10(one.count)));
  const icon = L.divIcon({ className: "cluster", html: element("span", {}, number), iconSize: [width, width] });
  const come = () => map.getZoom() < map.getMaxZoom() ? goTo(one, Math.min(map.getZoom() + 2, map.getMaxZoom())) : choose(one);
  return L.marker([one.lat, one.lon], { icon, keyboard: false, bubblingMouseEvents: false })
    .bindTooltip(element("span", {}, t("placesHere", { count: one.count.toLocaleString(language()) }))).on("click", come);
}

/** The places in view: one by one if they are few, otherwise clusters. */
async function placesInView(signal) {
  const bbox = viewport();
  const { items } = await fetchJSON(get("/v1/places/clusters", { bbox, zoom: map.getZoom() }), signal);
  const total = items.reduce((sum, { count }) => sum + count, 0);
  if (total > most || items.every(({ count }) => count === 1)) return items;
  const all = await fetchJSON(get("/v1/places", { bbox, limit: most, fields: "id,kind,name,lat,lon" }), signal);
  return all.items.map((place) => ({ ...place, count: 1 }));
}

/**
 * Returns a function that draws the places in view, called when the map has moved.
 *
 * `open` is called with a clicked place, `choose` with the center of a cluster that no zoom divides.
 */
export function placesLayer(open, choose) {
  const group = layer();
  const latest = latestOnly();
  return () => latest(async (signal) => {
    let found;
    try { found = await placesInView(signal); } catch {
      // Without a token there are no places; the views show the error.
      if (!signal.aborted) group.clearLayers();
      return;
    }
    group.clearLayers();
    for (const one of found) {
      group.addLayer(one.count > 1 ? cluster(one, choose) : dot(one, "place", 5, one.name).on("click", () => open(one)));
    }
    // Below answers and people, even if they are drawn later.
    group.eachLayer((one) => one.bringToBack?.());
    map.fire("places");
  });
}

/** Shows all places, or without places all people whom the caller may see; returns whether there are any. */
export async function showData() {
  let bbox = "-180,-90,180,90";
  let found = [];
  // A cluster of the whole world may contain a whole town.
  for (let pass = 0; pass < 3 && found.length < 2; pass += 1) {
    const { items } = await fetchJSON(get("/v1/places/clusters", { bbox }));
    found = items;
    if (items.length !== 1) break;
    const [{ lat, lon }, half] = [items[0], [6, 0.2, 0.01][pass]];
    bbox = [Math.max(-180, lon - half), Math.max(-90, lat - half), Math.min(180, lon + half), Math.min(90, lat + half)].join(",");
  }
  if (!found.length) {
    const { items } = await fetchJSON(get("/v1/people", { limit: 1000, fields: "lat,lon" })).catch(() => ({ items: [] }));
    found = items.filter(({ lat }) => lat !== undefined);
  }
  if (found.length) showAll(found);
  return found.length > 0;
}

/** Shows the surroundings of the city that names the browser's time zone; returns whether there is one. */
export async function showZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  const cities = await fetchJSON(get("/page/cities.json")).catch(() => []);
  const city = cities.find(({ name }) => plain(name) === plain(zone.split("/").at(-1).replaceAll("_", " ")));
  if (city) goTo(city, 5);
  return Boolean(city);
}
