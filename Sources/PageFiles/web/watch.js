// The list of people who need attention: those who have just crossed a fence, and silent ones.
import { age, byId } from "./dom.js";
import { personLines } from "./lines.js";
import { nameOf } from "./names.js";
import { t } from "./words.js";

/** The milliseconds for which a crossing is listed, and after which a person without contact is silent. */
const [crossingTime, silenceTime] = [300_000, 600_000];
/** The maximum number of lines. */
const most = 6;
const crossings = new Map();
const lines = personLines(byId("watch-list"));

/** Keeps the event of a person who crossed a fence. */
export function crossed(event) {
  crossings.set(event.person, event);
}

/** Removes a person from the list at once. */
export function forget(id) {
  crossings.delete(id);
  lines.forget(id);
}

export function forgetAll() {
  crossings.clear();
  lines.clear();
  byId("watch-none").hidden = byId("watch-heading").hidden = true;
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

/** Writes the list. */
export function writeWatch(people, now = Date.now()) {
  lines.write(listed(people, now).map(({ id, at, reason, isCrossing }) => {
    const { name = nameOf(id), place } = people.get(id) ?? {};
    return { id, name, place, words: `${reason} · ${age(at, now)}`, look: isCrossing ? "crossing" : "silent" };
  }));
  // Of nobody it cannot be said that all are well.
  byId("watch-none").hidden = lines.size > 0 || people.size === 0;
  byId("watch-heading").hidden = lines.size === 0 && people.size === 0;
}
