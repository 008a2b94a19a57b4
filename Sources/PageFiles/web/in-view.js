// The list of people in view, the nearest to the map's center first.
import { age, byId, distance } from "./dom.js";
import { personLines } from "./lines.js";
import { center, map, meters } from "./map.js";
import { t } from "./words.js";

/** The maximum number of lines, and the milliseconds between two updates. */
const [most, pause] = [12, 1000];
const lines = personLines(byId("live-list"));
let written = 0;

/** Removes a person from the list at once. */
export const leaveView = (id) => lines.forget(id);

export function clearView() {
  written = 0;
  write([], 0);
}

function write(found, count) {
  lines.write(found);
  for (const id of ["live-here", "live-list"]) byId(id).hidden = !found.length;
  const more = byId("live-more");
  more.hidden = count <= found.length;
  more.textContent = more.hidden ? "" : t("liveMore", { count: count - found.length });
}

/** Writes the list; `isWhole` includes people outside of the map, such as friends. */
export function writeView(people, isWhole, now = Date.now()) {
  if (now - written < pause) return;
  written = now;
  const [bounds, middle] = [map.getBounds(), center()];
  const seen = [...people].filter(([, { place }]) => isWhole || bounds.contains([place.lat, place.lon]))
    .map(([id, { name, place }]) => ({ id, name, place, far: meters(middle, place) }));
  seen.sort((a, b) => a.far - b.far);
  write(seen.slice(0, most).map((one) => ({
    ...one, words: `${distance(one.far)} · ${age(one.place.seen_until ?? one.place.at, now)}`,
  })), seen.length);
}
