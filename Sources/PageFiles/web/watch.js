// The list of people who need attention: silent ones, and those who have just crossed a fence.
import { openCard } from "./card.js";
import { age, byId, element } from "./dom.js";
import { t } from "./words.js";

/** For how long a crossing is listed, when silence begins, and when it is too old to matter, in milliseconds. */
const [crossingTime, silenceTime] = [300_000, 600_000];
/** Lines at most. */
const most = 6;
const crossings = new Map();
const lines = new Map();

/** Keeps the event of a person who crossed a fence. */
export function crossed(event) {
  crossings.set(event.person, event);
}

/** Takes a person off the list at once. */
export function forget(id) {
  crossings.delete(id);
  lines.get(id)?.remove();
  lines.delete(id);
  byId("watch-none").hidden = lines.size > 0;
}

export function forgetAll() {
  crossings.clear();
  for (const id of [...lines.keys()]) forget(id);
}

/** The people to list, each with a reason: crossings first, newest first, then the longest silence. */
function listed(people, now) {
  const found = [];
  for (const [id, event] of crossings) {
    if (now - new Date(event.at) > crossingTime) crossings.delete(id);
    else found.push({ id, at: new Date(event.at), reason: t(`just_${event.type.split(".")[1]}`, event), isCrossing: true });
  }
  found.sort((a, b) => b.at - a.at);
  const silent = [];
  for (const [id, { place }] of people) {
    const at = new Date(place.seen_until ?? place.at);
    if (now - at > silenceTime && !crossings.has(id)) silent.push({ id, at, reason: t("silent") });
  }
  silent.sort((a, b) => a.at - b.at);
  return [...found, ...silent].slice(0, most);
}

function lineOf(id) {
  const button = element("button", { type: "button", onclick: () => openCard("person", { id, ...lines.get(id).known }) });
  return element("li", {}, button, element("small"));
}

/** Writes the list; lines that stay keep their place in it and the focus. */
export function writeWatch(people, now = Date.now()) {
  const wanted = listed(people, now);
  for (const id of [...lines.keys()]) {
    if (!wanted.some((one) => one.id === id)) {
      lines.get(id).remove();
      lines.delete(id);
    }
  }
  for (const [index, { id, at, reason, isCrossing }] of wanted.entries()) {
    if (!lines.has(id)) lines.set(id, lineOf(id));
    const line = lines.get(id);
    const { name = id, place } = people.get(id) ?? {};
    line.known = { name, lat: place?.lat, lon: place?.lon };
    const [button, small] = line.children;
    const said = `${reason} · ${age(at, now)}`;
    if (button.textContent !== name) button.textContent = name;
    if (small.textContent !== said) small.textContent = said;
    line.className = isCrossing ? "crossing" : "silent";
    const list = byId("watch-list");
    if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null);
  }
  byId("watch-none").hidden = lines.size > 0;
}
