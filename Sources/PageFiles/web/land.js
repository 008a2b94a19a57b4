// The base map: land in two levels of detail on canvas tiles, and above it a server's tiles if there are any.
import { fetchJSON, get } from "./api.js";

const L = window.L;

/** The highest zoom at which coarse land is drawn, from one file of the whole world. */
const coarse = 4;

/** The width and height in degrees of a file with fine land, and of its cells. */
const [ofFile, ofCell] = [45, 5];

/** The y of a latitude on a Mercator map of width 1, from the north. */
function height(lat) {
  const sine = Math.sin(Math.max(-85.06, Math.min(85.06, lat)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/**
 * A ring's corners on a Mercator map of width 1, and whether the side before each is coast.
 *
 * The sides of a cell, which overlaps its neighbors by 0.01°, and the 180° meridian are not coast.
 */
function ringOf(steps, sides) {
  const count = steps.length / 2;
  const ring = { x: new Float64Array(count), y: new Float64Array(count), isCoast: new Uint8Array(count) };
  const at = [];
  let [lon, lat] = [0, 0];
  for (let i = 0; i < count; i += 1) {
    lon += steps[2 * i];
    lat += steps[2 * i + 1];
    at.push([lon, lat]);
    [ring.x[i], ring.y[i]] = [lon / 360_000 + 0.5, height(lat / 1000)];
  }
  const isSide = (a, b) => (a[0] === b[0] && (sides.x.includes(a[0]) || Math.abs(a[0]) >= 180_000))
    || (a[1] === b[1] && sides.y.includes(a[1]));
  for (let i = 0; i < count; i += 1) ring.isCoast[i] = isSide(at[(i || count) - 1], at[i]) ? 0 : 1;
  return ring;
}

/** A cell with its rings and bounds. */
function cellOf([west, south, ...rings], size) {
  const [x, y] = [[west - 10, west + 1000 * size + 10], [south - 10, south + 1000 * size + 10]];
  return {
    west: x[0] / 360_000 + 0.5, east: x[1] / 360_000 + 0.5, south: height(y[0] / 1000), north: height(y[1] / 1000),
    rings: rings.map((steps) => ringOf(steps, { x, y })),
  };
}

const files = new Map();

/** The cells of a file, which is requested once, and again after a failure. */
function cellsOf(path, size) {
  if (!files.has(path)) {
    const cells = fetchJSON(get(path)).then((found) => found.map((cell) => cellOf(cell, size)));
    files.set(path, cells);
    cells.catch(() => files.delete(path));
  }
  return files.get(path);
}

/** The cells whose bounds intersect a tile. */
async function cellsIn({ x, y, z }) {
  const wide = 2 ** -z;
  const [west, east, north, south] = [x * wide, (x + 1) * wide, y * wide, (y + 1) * wide];
  let found;
  if (z <= coarse) {
    found = [await cellsOf("/page/land.json", ofFile)];
  } else {
    const paths = [];
    for (let column = 0; column < 360 / ofFile; column += 1) {
      for (let row = 0; row < 180 / ofFile; row += 1) {
        const left = column * ofFile / 360;
        const [below, above] = [height(row * ofFile - 90), height((row + 1) * ofFile - 90)];
        const isIn = left < east && left + ofFile / 360 > west && above < south && below > north;
        if (isIn) paths.push(`/page/land-${column}-${row}.json`);
      }
    }
    found = await Promise.all(paths.map((path) => cellsOf(path, ofCell)));
  }
  return found.flat().filter((cell) => cell.west < east && cell.east > west && cell.north < south && cell.south > north);
}

/** Draws cells: first all land, then all coasts, so that no fill covers a neighbor's coast. */
function draw(context, cells, { x, y, z }, size, colors) {
  const scale = size * 2 ** z;
  const [left, top] = [x * size, y * size];
  const rings = cells.flatMap((cell) => cell.rings);
  context.fillStyle = colors.land;
  for (const cell of cells) {
    context.beginPath();
    for (const ring of cell.rings) {
      context.moveTo(ring.x[0] * scale - left, ring.y[0] * scale - top);
      for (let i = 1; i < ring.x.length; i += 1) context.lineTo(ring.x[i] * scale - left, ring.y[i] * scale - top);
      context.closePath();
    }
    context.fill("evenodd");
  }
  [context.strokeStyle, context.lineWidth, context.lineJoin] = [colors.coast, 1, "round"];
  context.beginPath();
  for (const ring of rings) {
    const last = ring.x.length - 1;
    context.moveTo(ring.x[last] * scale - left, ring.y[last] * scale - top);
    for (let i = 0; i <= last; i += 1) {
      const [toX, toY] = [ring.x[i] * scale - left, ring.y[i] * scale - top];
      if (ring.isCoast[i]) context.lineTo(toX, toY);
      else context.moveTo(toX, toY);
    }
  }
  context.stroke();
}

/** The layer of land; `colorsNow` returns the current colors of the style sheet. */
export function landLayer(pane, colorsNow) {
  const Land = L.GridLayer.extend({
    createTile(coords, done) {
      const size = this.getTileSize().x;
      const pixelRatio = Math.min(2, Math.ceil(devicePixelRatio));
      const tile = L.DomUtil.create("canvas");
      tile.width = tile.height = size * pixelRatio;
      cellsIn(coords).then((cells) => {
        const context = tile.getContext("2d");
        context.scale(pixelRatio, pixelRatio);
        draw(context, cells, coords, size, colorsNow());
        done(null, tile);
      }, (error) => done(error, tile));
      return tile;
    },
  });
  return new Land({ pane, updateWhenZooming: false });
}

/** A text escaped for HTML. */
const inHTML = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The layer of tiles described by `/page/map.json`, or undefined; pages of links have a setting of their own. */
export async function tileLayer(pane) {
  const described = await fetchJSON(get("/page/map.json"));
  const { tiles, attribution, attribution_url: url, subdomains, on_links: onLinks, bounds } = described;
  if (!tiles || (!onLinks && /^\/[sp]\//.test(location.pathname))) return undefined;
  const credit = inHTML(attribution ?? "");
  return L.tileLayer(tiles, {
    pane, subdomains: subdomains ?? [], maxZoom: 19, minZoom: described.min_zoom, maxNativeZoom: described.max_zoom,
    bounds: bounds && [[bounds[1], bounds[0]], [bounds[3], bounds[2]]],
    attribution: url ? `<a href="${inHTML(url)}">${credit}</a>` : credit,
  });
}
