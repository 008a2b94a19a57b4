// The areas of fences on the map.
import { element } from "./dom.js";
import { themeColor, layer, map, metersPerPixel } from "./map.js";

const L = window.L;

/** Coordinates for Leaflet, all on the same side of the 180° meridian as the first. */
function unwrapped(places) {
  const first = places[0]?.[0] ?? 0;
  return places.map(([lon, lat]) => [lat, lon - 360 * Math.round((lon - first) / 360)]);
}

function shape(area, style) {
  switch (area?.type) {
    case undefined: return area?.within_m && L.circle([area.lat, area.lon], { radius: area.within_m, ...style });
    case "Polygon": return L.polygon(area.coordinates.map(unwrapped), style);
    case "MultiPolygon": return L.polygon(area.coordinates.map((rings) => rings.map(unwrapped)), style);
    default: {
      const weight = Math.max(2, 2 * area.within_m / metersPerPixel(area.coordinates[0][1]));
      return L.polyline(unwrapped(area.coordinates), { ...style, weight, opacity: 0.35 });
    }
  }
}

/** A shape of an area in a theme color; undefined if there is no area, or it follows places. */
export const areaOf = (area, name, more = {}) =>
  shape(area, { color: themeColor(name), weight: 2, fillOpacity: 0.1, interactive: false, ...more });

/** The tolerance of a click on an outline, in pixels. */
const reach = 6;

/** Makes only the outline of a circle or polygon clickable, so that a click inside hits the map. */
function clickOutline(made) {
  if (made instanceof L.Circle) made._containsPoint = (at) => Math.abs(at.distanceTo(made._point) - made._radius) <= reach;
  else if (made instanceof L.Polygon) {
    made._clickTolerance = () => reach;
    made._containsPoint = (at) => L.Polyline.prototype._containsPoint.call(made, at, true);
  }
}

/**
 * A layer of fences; `show` replaces the fences, `flash` highlights one of them for a moment.
 *
 * `open` is called with a clicked fence; with `onOutline` only the outline can be clicked.
 */
export function fenceLayer(name, open, { onOutline } = {}) {
  const group = layer();
  let [fences, shapes] = [[], new Map()];

  function draw() {
    group.clearLayers();
    shapes = new Map();
    for (const fence of fences) {
      const made = areaOf(fence.area, name, open && { interactive: true, bubblingMouseEvents: false });
      if (!made) continue;
      shapes.set(fence.id, made.addTo(group));
      if (!open) continue;
      made.bindTooltip(element("span", {}, fence.id)).on("click", () => open(fence));
      if (onOutline) clickOutline(made);
    }
    sink();
  }

  const width = (one) => one.getBounds().getNorthEast().distanceTo(one.getBounds().getSouthWest());
  /** Puts fences below places, and larger ones below smaller ones, so that each can be clicked. */
  const sink = () => [...shapes.values()].sort((a, b) => width(a) - width(b)).forEach((one) => one.bringToBack());

  map.on("places", sink);
  // A corridor's width is in meters, so its pixels change with the zoom.
  map.on("zoomend", () => { if (fences.some(({ area }) => area?.type === "LineString")) draw(); });
  return {
    show(given) { fences = given; draw(); },
    flash(id) {
      const made = shapes.get(id);
      if (!made) return;
      made.setStyle({ fillOpacity: 0.45 });
      setTimeout(() => made.setStyle({ fillOpacity: 0.1 }), 1500);
    },
    bounds: (id) => shapes.get(id)?.getBounds(),
  };
}
