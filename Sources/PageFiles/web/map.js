// The map: land, cities and the places in view, drawn by Leaflet on canvases.
import { fetchJSON, get } from "./api.js";
import { byId, element, stateChanged } from "./dom.js";
import { landLayer, tileLayer } from "./land.js";

const L = window.L;

/** Whether Leaflet is there. */
export const hasMap = Boolean(L);

/** Colours are those of the style sheet, which knows whether it is dark. */
export const themeColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The part of the map that the address names, such as `#14/39.47/-0.376`: zoom, latitude and longitude. */
function viewOfAddress() {
  const numbers = location.hash.slice(1).split("?")[0].split("/").slice(-3).map(Number);
  return numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : undefined;
}

/** Whether the address names a part of the map. */
export const isMapNamed = () => viewOfAddress() !== undefined;

/** Goes to the part of the map that the address names, if it names one. */
export function goToAddress() {
  const [zoom, lat, lon] = viewOfAddress() ?? [];
  if (zoom === undefined) return false;
  map.setView([lat, lon], zoom, { animate: false });
  return true;
}

/** The part of the map that is seen, as it stands in an address. */
export function mapAddress() {
  const { lat, lon } = center();
  return `${map.getZoom()}/${lat}/${lon}`;
}

/** Whether the map glides; not for those who asked their system for less motion. */
const animate = !matchMedia("(prefers-reduced-motion: reduce)").matches;
const options = { preferCanvas: true, worldCopyJump: true, minZoom: 2, maxZoom: 18, zoomAnimation: animate };
export const map = hasMap ? L.map("map", options) : undefined;

// The page writes these words in its language.
for (const [name, key] of [["in", "zoomIn"], ["out", "zoomOut"]]) {
  const button = map?.getContainer().querySelector(`.leaflet-control-zoom-${name}`);
  if (button) button.dataset.title = button.dataset.label = key;
}

/** Whether the map shows a place; before that it measures its room by itself. */
let hasView = false;

/** Fits the map to the room that it has; hidden, it keeps its size, and without a change its exact center. */
export function fitMap() {
  if (!hasView) return;
  const { clientWidth: width, clientHeight: height } = byId("map");
  const { x, y } = map.getSize();
  if (width && (width !== x || height !== y)) map.invalidateSize({ animate: false });
}

/** A layer that is emptied by `clearLayers`, above those made before. */
export const layer = () => L.layerGroup().addTo(map);

/** A dot whose color follows the style sheet; `label` is shown while it is pointed at. */
export function dot(place, name, radius, label, more = {}) {
  const made = L.circleMarker([place.lat, place.lon], {
    radius, weight: 1.5, color: themeColor(name), fillOpacity: 0.75, bubblingMouseEvents: false, ...more,
  });
  return label ? made.bindTooltip(element("span", {}, label)) : made;
}

/** A numbered pin, which a line of a list stands for to those who use the keyboard. */
export const pin = (place, number) => L.marker([place.lat, place.lon], {
  icon: L.divIcon({ className: "pin", html: element("span", {}, number), iconSize: [24, 24] }), keyboard: false,
  bubblingMouseEvents: false, riseOnHover: true,
}).bindTooltip(element("span", {}, place.name));

/** A circle of so many meters. */
export const circle = (place, name, radius) => L.circle(
  [place.lat, place.lon], { radius, weight: 1, color: themeColor(name), fillOpacity: 0.12, interactive: false });

/** A cell with these corners, which may lie on both sides of the 180° meridian. */
export function cellArea(corners, label) {
  const near = (lon) => lon - 360 * Math.round((lon - corners[0].lon) / 360);
  const style = { color: themeColor("cell"), weight: 2, dashArray: "6 4", bubblingMouseEvents: false };
  return L.polygon(corners.map(({ lat, lon }) => [lat, near(lon)]), style).bindTooltip(element("span", {}, label));
}

/** Metres that a pixel is wide at a latitude. */
export const metersPerPixel = (lat) => 40_075_017 * Math.cos(lat * Math.PI / 180) / 2 ** (map.getZoom() + 8);

/** Metres from one place to another, for what need not be exact. */
export const meters = (a, b) => map.distance([a.lat, a.lon], [b.lat, b.lon]);

/** A line through places. */
export const line = (places, name, more = {}) =>
  L.polyline(places.map(({ lat, lon }) => [lat, lon]), { color: themeColor(name), weight: 3, interactive: false, ...more });

/** Shows all of some places, no nearer than a quarter of a city. */
export const showAll = (places) => map.fitBounds(
  places.map(({ lat, lon }) => [lat, lon]), { maxZoom: 15, padding: [24, 24], animate });

/** Shows a place, at least as near as `zoom`. */
export const goTo = (place, zoom) => map.setView(
  [place.lat, place.lon], Math.max(map.getZoom(), zoom), { animate });

/** What is seen: west, south, east, north, as a `bbox` has it. */
export function viewport() {
  const bounds = map.getBounds().pad(0.02);
  const wrapped = (lon) => ((lon + 540) % 360) - 180;
  const isWhole = bounds.getEast() - bounds.getWest() >= 360;
  const [west, east] = isWhole ? [-180, 180] : [wrapped(bounds.getWest()), wrapped(bounds.getEast())];
  const lat = (value) => Math.max(-90, Math.min(90, value));
  return [west, lat(bounds.getSouth()), east, lat(bounds.getNorth())].map((number) => number.toFixed(5)).join(",");
}

/** The middle of what is seen. */
export function center() {
  const { lat, lng } = map.getCenter().wrap();
  return { lat: +lat.toFixed(6), lon: +lng.toFixed(6) };
}

/** Names of the largest cities in view that leave each other room. */
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

/** The makers of land and names; Leaflet writes a comma between credits. */
const credits = [
  '<a href="https://www.naturalearthdata.com">Natural Earth</a>',
  '<a href="https://www.geonames.org">GeoNames</a> (<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>)',
];

/**
 * Draws land at once and the names of cities when they come, which `open` is called with when clicked.
 *
 * Returns a function that redraws the names. What did not come is asked for again at the map's event `recover`.
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
    // Tiles have names of their own; without internet none comes, and ours stay.
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
 * Begins with the map, and returns a function that draws what is on it; `choose` is called with the ground that is clicked, or the
 * middle at Enter, `open` with a city. `draw` is called whenever the map has moved.
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
    // Not of the buttons on it.
    if (key === "Enter" && target === currentTarget) choose(center());
  });
  return drawAll;
}
