// The map: land, cities and the places in view, drawn by Leaflet on canvases.
import { fetchJSON, get } from "./api.js";
import { byId, element, stateChanged } from "./dom.js";
import { landLayer, tileLayer } from "./land.js";

const L = window.L;

/** Whether Leaflet is loaded. */
export const hasMap = Boolean(L);

/** A color of the style sheet, which depends on the light or dark theme. */
export const themeColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The map's position in the address, such as `#14/39.47/-0.376`: zoom, latitude and longitude. */
function viewOfAddress() {
  const numbers = location.hash.slice(1).split("?")[0].split("/").slice(-3).map(Number);
  return numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : undefined;
}

/** Whether the address has a map position. */
export const isMapNamed = () => viewOfAddress() !== undefined;

/** Moves the map to the position in the address; returns whether there is one. */
export function goToAddress() {
  const [zoom, lat, lon] = viewOfAddress() ?? [];
  if (zoom === undefined) return false;
  map.setView([lat, lon], zoom, { animate: false });
  return true;
}

/** The map's position as written in the address. */
export function mapAddress() {
  const { lat, lon } = center();
  return `${map.getZoom()}/${lat}/${lon}`;
}

/** Whether moves are animated; not if the system is set to reduced motion. */
const animate = !matchMedia("(prefers-reduced-motion: reduce)").matches;
const options = { preferCanvas: true, worldCopyJump: true, minZoom: 2, maxZoom: 18, zoomAnimation: animate };
export const map = hasMap ? L.map("map", options) : undefined;

// The page translates these labels.
for (const [name, key] of [["in", "zoomIn"], ["out", "zoomOut"]]) {
  const button = map?.getContainer().querySelector(`.leaflet-control-zoom-${name}`);
  if (button) button.dataset.title = button.dataset.label = key;
}

/** Whether the map has a position; before that Leaflet measures the size by itself. */
let hasView = false;

/** Fits the map to its container; a hidden map keeps its size, and an unchanged size keeps the exact center. */
export function fitMap() {
  if (!hasView) return;
  const { clientWidth: width, clientHeight: height } = byId("map");
  const { x, y } = map.getSize();
  if (width && (width !== x || height !== y)) map.invalidateSize({ animate: false });
}

/** A new group of layers, above the earlier ones; `clearLayers` empties it. */
export const layer = () => L.layerGroup().addTo(map);

/** A dot in a color of the style sheet; `label` is its tooltip. */
export function dot(place, name, radius, label, more = {}) {
  const made = L.circleMarker([place.lat, place.lon], {
    radius, weight: 1.5, color: themeColor(name), fillOpacity: 0.75, bubblingMouseEvents: false, ...more,
  });
  return label ? made.bindTooltip(element("span", {}, label)) : made;
}

/** A numbered pin; keyboards use its line in the list instead. */
export const pin = (place, number) => L.marker([place.lat, place.lon], {
  icon: L.divIcon({ className: "pin", html: element("span", {}, number), iconSize: [24, 24] }), keyboard: false,
  bubblingMouseEvents: false, riseOnHover: true,
}).bindTooltip(element("span", {}, place.name));

/** A circle with a radius in meters. */
export const circle = (place, name, radius) => L.circle(
  [place.lat, place.lon], { radius, weight: 1, color: themeColor(name), fillOpacity: 0.12, interactive: false });

/** A cell with its corners, which may lie on both sides of the 180° meridian. */
export function cellArea(corners, label) {
  const near = (lon) => lon - 360 * Math.round((lon - corners[0].lon) / 360);
  const style = { color: themeColor("cell"), weight: 2, dashArray: "6 4", bubblingMouseEvents: false };
  return L.polygon(corners.map(({ lat, lon }) => [lat, near(lon)]), style).bindTooltip(element("span", {}, label));
}

/** The width of a pixel at a latitude, in meters. */
export const metersPerPixel = (lat) => 40_075_017 * Math.cos(lat * Math.PI / 180) / 2 ** (map.getZoom() + 8);

/** The approximate distance between two places, in meters. */
export const meters = (a, b) => map.distance([a.lat, a.lon], [b.lat, b.lon]);

/** A line through places. */
export const line = (places, name, more = {}) =>
  L.polyline(places.map(({ lat, lon }) => [lat, lon]), { color: themeColor(name), weight: 3, interactive: false, ...more });

/** Shows all given places, zoomed in no further than a city quarter. */
export const showAll = (places) => map.fitBounds(
  places.map(({ lat, lon }) => [lat, lon]), { maxZoom: 15, padding: [24, 24], animate });

/** Shows a place at least at a `zoom`. */
export const goTo = (place, zoom) => map.setView(
  [place.lat, place.lon], Math.max(map.getZoom(), zoom), { animate });

/** The visible bounds: west, south, east, north, as in `bbox`. */
export function viewport() {
  const bounds = map.getBounds().pad(0.02);
  const wrapped = (lon) => ((lon + 540) % 360) - 180;
  const isWhole = bounds.getEast() - bounds.getWest() >= 360;
  const [west, east] = isWhole ? [-180, 180] : [wrapped(bounds.getWest()), wrapped(bounds.getEast())];
  const lat = (value) => Math.max(-90, Math.min(90, value));
  return [west, lat(bounds.getSouth()), east, lat(bounds.getNorth())].map((number) => number.toFixed(5)).join(",");
}

/** The center of the map. */
export function center() {
  const { lat, lng } = map.getCenter().wrap();
  return { lat: +lat.toFixed(6), lon: +lng.toFixed(6) };
}

/** Returns a function that draws the names of the largest cities in view without overlaps. */
function drawCities(group, cities, open) {
  return () => {
    group.clearLayers();
    const taken = [];
    const [size, bounds] = [map.getSize(), map.getBounds()];
    const least = 3e6 / 2 ** (map.getZoom() - 2);
    for (const { name, lat, lon, population } of cities) {
      if (population < least || taken.length >= 40) break;
      if (!bounds.contains([lat, lon])) continue;
      const { x, y } = map.latLngToContainerPoint([lat, lon]);
      if (x > size.x - 40 || taken.some((other) => Math.abs(other.x - x) < 90 && Math.abs(other.y - y) < 18)) continue;
      taken.push({ x, y });
      const html = element("span", {}, "·", element("span", { class: "name" }, name));
      const icon = L.divIcon({ className: "city", html, iconSize: null, iconAnchor: [4, 10] });
      const made = L.marker([lat, lon], {
        icon, pane: "names", interactive: Boolean(open), keyboard: false, bubblingMouseEvents: false,
      });
      group.addLayer(made.on("click", () => open({ name, lat, lon, population })));
    }
  };
}

/** The sources of land and names; Leaflet separates credits by commas. */
const credits = [
  '<a href="https://www.naturalearthdata.com">Natural Earth</a>',
  '<a href="https://www.geonames.org">GeoNames</a> (<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>)',
];

/**
 * Draws land at once, and the names of cities when they are loaded; `open` is called with a clicked city.
 *
 * Returns a function that redraws the names. Failed requests are repeated at the map's event `recover`.
 */
export function drawGround([zoom, lat, lon], open) {
  for (const credit of credits) map.attributionControl.addAttribution(credit);
  map.setView([lat, lon], zoom);
  hasView = true;
  map.createPane("land").style.zIndex = 150;
  map.createPane("tiles").style.zIndex = 160;
  map.createPane("names").style.zIndex = 500;
  const land = landLayer("land", () => ({ land: themeColor("land"), coast: themeColor("coast") })).addTo(map);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => land.redraw());
  const names = layer();
  let [draw, isLandMissing, areNamesMissing] = [() => {}, false, false];
  land.on("tileerror", () => { isLandMissing = true; });

  async function load() {
    areNamesMissing = false;
    const found = await Promise.all([fetchJSON(get("/page/cities.json")), tileLayer("tiles")]).catch(() => []);
    const [cities, tiles] = found;
    areNamesMissing = !cities;
    if (!cities) return;
    // Tiles have names of their own; without internet no tile is loaded, and ours stay.
    let areNamed = false;
    tiles?.on("tileload", () => { areNamed = true; names.clearLayers(); });
    tiles?.addTo(map);
    const write = drawCities(names, cities, open);
    draw = () => { if (!areNamed) write(); };
    draw();
  }

  map.on("recover", () => {
    if (isLandMissing) land.redraw();
    isLandMissing = false;
    if (areNamesMissing) load();
  });
  load();
  return () => draw();
}

/**
 * Starts the map, and returns a function that redraws it.
 *
 * `choose` is called with a clicked point, or with the center at Enter, `open` with a city, `draw` after each move.
 */
export function startMap(choose, open, draw) {
  const drawings = [drawGround(viewOfAddress() ?? [2, 25, 0], open), draw];
  const drawAll = () => drawings.forEach((draw) => draw());
  map.on("moveend", () => { stateChanged(); drawAll(); });
  map.on("click", ({ latlng }) => {
    const { lat, lng } = latlng.wrap();
    choose({ lat: +lat.toFixed(6), lon: +lng.toFixed(6) });
  });
  byId("map").addEventListener("keydown", ({ key, target, currentTarget }) => {
    // Enter on the map's buttons is theirs.
    if (key === "Enter" && target === currentTarget) choose(center());
  });
  return drawAll;
}
