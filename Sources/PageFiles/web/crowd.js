// The crowd: everybody in view who was heard of within the hour, asked again and again.
import { ask, newest, question } from "./api.js";
import { age, byId, showFault, showRequests } from "./dom.js";
import { dot, layer, map, middle } from "./map.js";
import { t } from "./words.js";

/** Between two looks, in milliseconds. */
const pause = 2000;
/** Pages of a look at most: a thousand people, those nearest to the middle. */
const pages = 10;
const asking = newest();
const dots = new Map();
let people;
let timer;

/** Half of what is seen, from corner to middle, in metres; half around the Earth at most. */
const reach = () => Math.min(20_000_000, Math.ceil(map.distance(map.getCenter(), map.getBounds().getNorthEast())));

const look = () => question("/v1/nearby", {
  ...middle(), within_m: reach(), at: new Date(Date.now() - 1000).toISOString(), limit: 100,
  fields: "id,name,lat,lon,age_s",
});

/** One look, page by page, and the next one later. */
async function watch() {
  clearTimeout(timer);
  const first = look();
  try {
    const found = await asking(async (signal) => {
      const found = [];
      let cursor;
      do {
        const page = await ask({ ...first, parameters: { ...first.parameters, cursor } }, signal);
        found.push(...page.items);
        cursor = page.cursor;
      } while (cursor && found.length < pages * 100);
      return found;
    });
    draw(found);
    byId("crowd-status").textContent = t("crowdOf", { count: found.length });
    timer = setTimeout(watch, pause);
  } catch (error) {
    showFault(byId("crowd-status"), error);
    if (error.name !== "AbortError") timer = setTimeout(watch, 5 * pause);
  }
  if (!byId("crowd-request").querySelector("[open]")) showRequests(byId("crowd-request"), first);
}

/** Moves the dots of those who were there, and adds and removes others. */
function draw(found) {
  const gone = new Set(dots.keys());
  for (const one of found) {
    gone.delete(one.id);
    const label = `${one.name ?? one.id}, ${age(new Date(Date.now() - one.age_s * 1000))}`;
    const old = dots.get(one.id);
    if (old) old.setLatLng([one.lat, one.lon]).setTooltipContent(document.createTextNode(label));
    else dots.set(one.id, dot(one, "person", 5, label).addTo(people));
  }
  for (const id of gone) {
    people.removeLayer(dots.get(id));
    dots.delete(id);
  }
}

export const crowd = {
  start() { people = layer(); },
  open: watch,
  close() {
    clearTimeout(timer);
    asking(() => Promise.resolve());
    draw([]);
  },
};
