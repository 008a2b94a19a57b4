// Live: people in view, their movements and fence alerts, from one stream of events without polling.
import { fetchJSON, get, latestOnly } from "./api.js";
import { fenceLayer } from "./areas.js";
import { listOnCard, moveOnCard, openCard } from "./card.js";
import { crowdLayer } from "./crowd.js";
import { age, byId, element, showError, showRequests } from "./dom.js";
import { cardOfEvent, fenceEvents, writeEvent } from "./fence-card.js";
import { openFence, readFences } from "./fences.js";
import { follow } from "./follow.js";
import { clearView, leaveView, writeView } from "./in-view.js";
import { center, map } from "./map.js";
import { keepName, learnNames, nameOf } from "./names.js";
import { crossed, forget, forgetAll, writeWatch } from "./watch.js";
import { language, t } from "./words.js";

/** The maximum number of listed alerts, and the milliseconds between two redraws. */
const [lines, pause] = [50, 250];
/** The maximum number of pages: a thousand people, the nearest to the center. */
const pages = 10;
/** The length of a trail in milliseconds, and its maximum number of places. */
const [trailTime, trailPlaces] = [600_000, 100];
const latest = latestOnly();
const readingFences = latestOnly();
const people = new Map();
let crowd;
let fences;
let stop;
let timer;
let [alerts, moves] = [[], 0];
/** The new positions by person since the last redraw, in order. */
const moved = new Map();
/** The visible bounds with a margin. */
let view;
/** Whether the caller may search all people; otherwise the stream returns only friends. */
let seesAll = true;

/** The distance from the center to a corner of the map, in meters; at most half around the Earth. */
const reach = () => Math.min(20_000_000, Math.ceil(map.distance(map.getCenter(), map.getBounds().getNorthEast())));

const look = () => get("/v1/people/nearest", {
  ...center(), within_m: reach(), max_age_s: 3600, limit: 100, fields: "id,name,lat,lon,at",
});
const events = { type: ["ping.moved", ...fenceEvents].join(",") };

/** Requests the people in view, initially and after the map has moved. */
async function seed() {
  const first = look();
  view = map.getBounds().pad(0.2);
  // Events may report later positions than this answer.
  const before = new Map([...people].map(([id, one]) => [id, one.place]));
  try {
    await latest(async (signal) => {
      let cursor;
      for (let page = 0; page === 0 || (cursor && page < pages); page += 1) {
        const answer = await fetchJSON({ ...first, parameters: { ...first.parameters, cursor } }, signal);
        for (const one of answer.items) if (people.get(one.id)?.place === before.get(one.id)) show(one.id, one, one.name);
        for (const one of answer.items) before.delete(one.id);
        cursor = answer.cursor;
      }
      // The others have left, unless an event has moved them in the meantime.
      for (const [id, place] of cursor ? [] : before) if (people.get(id)?.place === place) show(id);
    });
    seesAll = true;
  } catch (error) {
    if (error.name === "AbortError") return;
    seesAll = error.status !== 403;
    if (seesAll) {
      clear();
      fail(error);
    }
  }
  if (!byId("live-request").querySelector("[open]")) {
    showRequests(byId("live-request"), get("/v1/events", events), ...seesAll ? [first] : []);
  }
}

function clear() {
  for (const one of people.values()) crowd.remove(one.dot);
  people.clear();
  moved.clear();
  forgetAll();
  clearView();
}

/** Shows the position of a person; undefined removes it. */
function show(id, place, name) {
  const old = people.get(id);
  if (!place || (seesAll && !view.contains([place.lat, place.lon]))) {
    if (old) crowd.remove(old.dot);
    people.delete(id);
    return;
  }
  keepName(id, name);
  const known = { place, get name() { return nameOf(id); }, trail: old ? trailOf(old, place) : [], heading: old?.heading, dot: old?.dot };
  const last = known.trail.at(-1);
  if (last && old.place.at !== place.at) known.heading = bearing(last, place);
  people.set(id, known);
  if (old) return crowd.move(known.dot, place);
  known.dot = crowd.add(place, () => about(id), () => openCard("person", { id, name: people.get(id).name }));
}

/** A dot's name, trail, direction and label. */
function about(id) {
  const { name, place, trail, heading } = people.get(id);
  return { name, trail, heading, label: `${name}, ${age(place.seen_until ?? place.at)}` };
}

/** The earlier places of the last minutes. */
function trailOf({ trail, place: before }, place) {
  const isMove = before.lat !== place.lat || before.lon !== place.lon;
  const begin = new Date(place.at) - trailTime;
  return [...trail, ...isMove ? [before] : []].filter(({ at }) => new Date(at) >= begin).slice(-trailPlaces);
}

/** The direction from one place to a nearby one, in degrees clockwise from north. */
function bearing(from, to) {
  const east = (to.lon - from.lon) * Math.cos(to.lat * Math.PI / 180);
  return Math.atan2(east, to.lat - from.lat) * 180 / Math.PI;
}

function receive(event) {
  if (!event) return seed();
  if (event.type === "ping.moved") {
    moves += 1;
    if (event.position) moved.set(event.person, [...moved.get(event.person) ?? [], event.position]);
    else vanish(event.person);
  } else {
    if (["fence.enter", "fence.exit"].includes(event.type)) crossed(event);
    alerts.unshift(event);
    alerts.length = Math.min(alerts.length, lines);
    if (!event.fence) return;
    fences.flash(event.fence);
    listOnCard(event);
  }
}

/** Removes a person from the map, the lists and the card at once. */
function vanish(id) {
  moved.delete(id);
  show(id);
  forget(id);
  leaveView(id);
  moveOnCard(id);
}

/** Shows the events since the last redraw; redrawing for each event would draw the whole crowd each time. */
function write() {
  for (const [id, places] of moved) {
    for (const place of places) show(id, place);
    moveOnCard(id, places.at(-1));
  }
  moved.clear();
  crowd.count(people.size);
  learnNames([...people.keys()]);
  writeWatch(people);
  writeView(people, !seesAll);
  byId("live-none").hidden = people.size > 0;
  byId("live-status").textContent = t(seesAll ? "liveOf" : "liveFriends", {
    count: people.size.toLocaleString(language()), moves: moves.toLocaleString(language()),
  });
  if (!alerts.length) return;
  const list = byId("live-alerts");
  list.prepend(...alerts.map(lineOf));
  while (list.childElementCount > lines) list.lastElementChild.remove();
  byId("live-quiet").hidden = true;
  alerts = [];
}

/** An event as a line of the list, which opens the fence's card. */
function lineOf(event) {
  const words = event.fence
    ? element("button", { type: "button", onclick: () => openCard("fence", cardOfEvent(event)) }) : element("span");
  writeEvent(words, event);
  return element("li", {}, element("small", {}, new Date(event.at).toLocaleTimeString(language())), words);
}

function fail(error) {
  byId("live-fault").textContent = "";
  if (error) showError(byId("live-fault"), error);
}

async function drawFences() {
  try { fences.show(await readingFences(readFences)); } catch (error) {
    // A caller who may not see fences still sees people.
    if (error.name !== "AbortError") fences.show([]);
  }
}

function open() {
  stop?.();
  crowd.open();
  view = map.getBounds().pad(0.2);
  stop = follow(events, receive, fail);
  clearInterval(timer);
  timer = setInterval(write, pause);
  return Promise.all([seed(), drawFences()]);
}

export const live = {
  /** Reads people and fences again; the stream resumes by itself after its last event. */
  recover() {
    fail();
    return byId("live").hidden ? undefined : Promise.all([seed(), drawFences()]);
  },
  start() {
    [crowd, fences] = [crowdLayer("person"), fenceLayer("stranger", openFence)];
    map.on("moveend", () => { if (!byId("live").hidden && seesAll) seed(); });
  },
  open,
  close() {
    stop?.();
    stop = undefined;
    clearInterval(timer);
    latest(() => Promise.resolve());
    readingFences(() => Promise.resolve());
    clear();
    crowd.close();
    fences.show([]);
    [alerts, moves] = [[], 0];
    byId("live-alerts").replaceChildren();
    byId("live-quiet").hidden = false;
  },
  refresh() {
    if (byId("live").hidden) return undefined;
    live.close();
    return open();
  },
};
