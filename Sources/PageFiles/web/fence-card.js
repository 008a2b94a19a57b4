// The card of a fence: its shape, the watched people, its alerts and its last events.
import { escaped, fetchJSON, get } from "./api.js";
import { areaOf } from "./areas.js";
import { definitions, distance, element, showRequests, time } from "./dom.js";
import { map, mapAddress } from "./map.js";
import { learnNames, nameOf } from "./names.js";
import { language, t } from "./words.js";

/** The maximum numbers of listed events, and of pages read to find them. */
const [lines, pages] = [5, 20];

/** The types of fence events. */
export const fenceEvents = ["fence.enter", "fence.exit", "fence.dwell", "fence.silent", "near.enter", "near.exit"];

/** The id of a fence's card; for a person's fence it begins with the person's id. */
export const cardOf = (id, owner) => ({ id: owner ? `${owner}/${id}` : id, name: id });

/** The card of the fence that caused an event; `owner` is needed for proximity events only, which do not name it. */
export const cardOfEvent = ({ type, fence, other }, owner) => cardOf(fence, type.startsWith("near.") ? owner : other);

/** The people watched by group or by attributes, in words. */
export function keptPeople({ group, attributes }) {
  if (group) return t("whom_group", { name: group });
  return attributes && Object.entries(attributes).map(([name, value]) => `${name}: ${value}`).join(", ");
}

const minutes = (seconds) => new Intl.NumberFormat(language(), {
  style: "unit", unit: "minute", unitDisplay: "long", maximumFractionDigits: 1,
}).format(seconds / 60);

/** The people watched by a proximity fence. */
function pair({ of, who }, owner) {
  const others = who === "friends" ? t("whom_friends") : Array.isArray(who) ? who.join(", ") : keptPeople(who);
  return `${of ?? owner}: ${others}`;
}

/** The shape of a fence, its watched people and its events, in words. */
export function aboutFence(fence, owner) {
  const { area, near, silent_s: silent, dwell_s: dwell } = fence;
  const [key, meters] = near ? ["nearness", near.within_m] : silent ? ["silence"]
    : [area.type ?? (area.place ? "place" : area.places ? "places" : "Circle"), area.within_m];
  const times = { dwell, silent };
  return {
    shape: [t(`shape_${key}`, { name: area?.place ?? area?.places?.kind }), meters && distance(meters)].filter(Boolean).join(" · "),
    watched: near ? pair(near, owner) : fence.everybody ? t("whom_everybody")
      : fence.people?.join(", ") ?? keptPeople(fence) ?? owner,
    alertOn: fence.on.map((one) => t(`on_${one}`) + (times[one] ? ` (${minutes(times[one])})` : "")).join(", "),
  };
}

/** A fence or proximity event in words. */
const eventWords = (event) => t(`event_${event.type.replace(".", "_")}`, {
  ...event, person: nameOf(event.person), other: nameOf(event.other ?? ""),
});

/** Writes an event into an element, at once and again when the names are known. */
export function writeEvent(into, event) {
  const write = () => { into.textContent = eventWords(event); };
  write();
  learnNames([event.person, event.other]).then(write);
}

/** The last events of a fence, newest first; the service returns the oldest first. */
async function lastEvents(asked, isOwn, signal) {
  let [found, cursor] = [[]];
  for (let page = 0; page < pages; page += 1) {
    const answer = await fetchJSON({ ...asked, parameters: { ...asked.parameters, cursor } }, signal);
    found = [...found, ...answer.items.filter(isOwn)].slice(-lines);
    if (answer.cursor === cursor) break;
    cursor = answer.cursor;
  }
  return found.reverse();
}

function lineOf(event) {
  const words = element("span");
  writeEvent(words, event);
  return element("li", {}, element("small", {}, time(event.at)), words);
}

export async function fenceCard(item, drawn, signal) {
  const [id, owner] = item.id.split("/").reverse();
  const path = owner ? `/v1/people/${escaped(owner)}/fences` : "/v1/fences";
  const wanted = get(`${path}/${escaped(id)}`);
  const asked = get("/v1/events", { type: fenceEvents.join(","), fence: id, limit: 1000 });
  const isOwn = (event) => cardOfEvent(event, owner).id === item.id;
  const [fence, events] = await Promise.all([fetchJSON(wanted, signal), lastEvents(asked, isOwn, signal)]);
  const shape = areaOf(fence.area, "accent")?.addTo(drawn);
  const bounds = shape?.getBounds();
  if (bounds && !map.getBounds().intersects(bounds)) map.fitBounds(bounds, { maxZoom: 16, animate: false });

  const list = element("ol", { class: "events" }, ...events.map(lineOf));
  const none = element("p", { class: "quiet" }, t("fenceQuiet"));
  none.hidden = events.length > 0;
  const requests = element("div");
  showRequests(requests, wanted, asked);
  const query = new URLSearchParams({ ...owner && { person: owner }, change: id });
  return {
    name: id,
    onEvent(event) {
      if (!isOwn(event)) return;
      none.hidden = true;
      list.prepend(lineOf(event));
      if (list.childElementCount > lines) list.lastElementChild.remove();
    },
    children: [
      element("dl", {}, ...definitions({ ...aboutFence(fence, owner), note: fence.note })),
      ...fence.area ? [element("p", { class: "row" },
        element("a", { class: "action", href: `#fences/${mapAddress()}?${query}` }, t("change")))] : [],
      element("h3", {}, t("fenceLast")), list, none, requests,
    ],
  };
}
