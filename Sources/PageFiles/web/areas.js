// The areas of fences on the map.
import { colour, layer, map, metresOfPixel } from "./map.js";

const L = window.L;

/** Places as Leaflet has them, all on the side of the 180° meridian on which the first one is. */
function unwrapped(places) {
  const first = places[0]?.[0] ?? 0;
  return places.map(([lon, lat]) => [lat, lon - 360 * Math.round((lon - first) / 360)]);
}

/** What draws an area; undefined for a fence that has none, or that of places. */
function shape(area, style) {
  switch (area?.type) {
    case undefined: return area?.within_m && L.circle([area.lat, area.lon], { radius: area.within_m, ...style });
    case "Polygon": return L.polygon(area.coordinates.map(unwrapped), style);
    case "MultiPolygon": return L.polygon(area.coordinates.map((rings) => rings.map(unwrapped)), style);
    default: {
      const weight = Math.max(2, 2 * area.within_m / metresOfPixel(area.coordinates[0][1]));
      return L.polyline(unwrapped(area.coordinates), { ...style, weight, opacity: 0.35 });
    }
  }
}

/** A layer of fences; `show` draws those that it is given, `ring` lets one of them be seen for a moment. */
export function fenceLayer(name) {
  const group = layer();
  let [fences, shapes] = [[], new Map()];

  function draw() {
    group.clearLayers();
    shapes = new Map();
    for (const fence of fences) {
      const style = { color: colour(name), weight: 2, fillOpacity: 0.1, interactive: false };
      const made = shape(fence.area, style);
      if (made) shapes.set(fence.id, made.addTo(group));
    }
  }

  // The width of a corridor is in metres.
  map.on("zoomend", () => { if (fences.some(({ area }) => area?.type === "LineString")) draw(); });
  return {
    show(given) { fences = given; draw(); },
    ring(id) {
      const made = shapes.get(id);
      if (!made) return;
      made.setStyle({ fillOpacity: 0.45 });
      setTimeout(() => made.setStyle({ fillOpacity: 0.1 }), 1500);
    },
    bounds: (id) => shapes.get(id)?.getBounds(),
  };
}
