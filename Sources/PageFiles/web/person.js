// A person: present and past positions with their uncertainty, nearby friends, and the strangers' view.
import { escaped, fetchJSON, get, latestOnly } from "./api.js";
import { openCard } from "./card.js";
import { age, byId, definitions, distance, element, instant, showError, showRequests, stateChanged, time } from "./dom.js";
import { cellArea, circle, dot, goTo, layer, line, showAll } from "./map.js";
import { discoveryCell } from "./person-card.js";
import { shareBox } from "./share-box.js";
import { reveal } from "./sheet.js";
import { suggestPeople } from "./suggest.js";
import { t } from "./words.js";

const minute = 60_000;
const latest = latestOnly();
const showing = latestOnly();
const offering = latestOnly();
let past;
let present;
/** The shown person: id, name, stored positions, and the requests sent once. */
let shown;

/** The answer, or undefined if the caller may not see it: a friend sees a position, but no history. */
const allowed = (promise) => promise.catch((error) => {
  if (error.status === 403 || error.code === "no_position") return undefined;
  throw error;
});

/** Hides the answer and shows the help instead, or the reverse. */
function hide(isHidden) {
  byId("person-answer").hidden = isHidden;
  byId("person-help").hidden = !isHidden;
}

/** Shows a person, at the time in the address if there is one, and moves the map unless it is kept. */
async function show(id, { at, keepsMap } = {}) {
  const path = `/v1/people/${escaped(id)}`;
  byId("person-status").textContent = t("asking");
  byId("person-others").replaceChildren();
  try { await showing((signal) => read(id, path, signal)); } catch (error) {
    if (error.name === "AbortError") return undefined;
    close();
    shown = undefined;
    hide(true);
    const meant = error.status === 404 && await onlyOne(id);
    if (meant) {
      byId("person-id").value = meant;
      return show(meant);
    }
    return showError(byId("person-status"), error);
  }
  hide(false);
  const slider = byId("person-time");
  slider.min = Math.floor(new Date(shown.history[0]?.t ?? shown.last.since ?? shown.last.at) / minute);
  slider.max = Math.ceil(new Date(shown.last.seen_until ?? shown.last.at) / minute) + 1;
  slider.value = at && !Number.isNaN(Date.parse(at)) ? Math.floor(new Date(at) / minute) : slider.max;
  stateChanged(true);
  if (!keepsMap) showAround(shown.last, [...shown.history, ...(shown.cell?.cell?.corners ?? [])]);
  return travel();
}

/** Shows all given places, with one of them in the center. */
function showAround(center, places) {
  const opposite = ({ lat, lon }) => ({ lat: 2 * center.lat - lat, lon: 2 * center.lon - lon });
  showAll([center, ...places, ...places.map(opposite)]);
}

async function read(id, path, signal) {
  const last = await fetchJSON(get(`${path}/position`), signal);
  const since = instant(new Date(last.since ?? last.at) - byId("person-days").value * 1440 * minute);
  const once = {
    history: get(`${path}/history`, { datetime: `${since}/..`, limit: 10000 }), cell: get(`${path}/cell`),
    person: get(path),
  };
  const [history, cell, known, sharing] = await Promise.all([
    ...Object.values(once).map((one) => allowed(fetchJSON(one, signal))), shareBox(id, signal),
  ]);
  byId("person-share").replaceChildren(...sharing ? [sharing] : []);
  const full = [known?.name, known?.surname].filter(Boolean).join(" ");
  shown = { id, name: full ? `${full} (${id})` : id, path, last, history: history?.items ?? [], cell, once };
}

/** The slider's time as written in requests; undefined at its right end, which is the last known position. */
function timeShown() {
  const slider = byId("person-time");
  // The slider's first minute contains the first position.
  return slider.value === slider.max
    ? undefined : instant(Math.max(slider.value * minute, new Date(shown.history[0]?.t ?? 0)));
}

/** Shows the person at the slider's time. */
async function travel() {
  const slider = byId("person-time");
  const at = timeShown();
  const label = at ? time(at) : t("lastKnown");
  byId("person-when").textContent = label;
  slider.setAttribute("aria-valuetext", label);
  const position = get(`${shown.path}/position`, { at });
  const friends = get(`${shown.path}/friends/nearest`, { at, limit: 20 });
  try {
    const [place, around] = await latest((signal) =>
      Promise.all([fetchJSON(position, signal), allowed(fetchJSON(friends, signal))]));
    drawPast(at);
    drawPresent(place, around?.items ?? []);
    describe(place, at);
    listFriends(around?.items ?? []);
    byId("person-status").textContent = t("personAt", { name: shown.name, time: label });
  } catch (error) {
    if (error.name === "AbortError") return;
    close();
    showError(byId("person-status"), error);
  }
  showRequests(byId("person-request"), position, friends, ...Object.values(shown.once));
}

/** Draws the line through the stored positions, strong until the shown time. */
function drawPast(at) {
  past.clearLayers();
  past.addLayer(line(shown.history, "person", { weight: 2, opacity: 0.35 }));
  const before = shown.history.filter((one) => !at || new Date(one.t) <= new Date(at));
  past.addLayer(line(before, "person"));
  for (const one of before) past.addLayer(dot(one, "person", 3, time(one.t)));
}

function drawPresent(place, friends) {
  present.clearLayers();
  const corners = shown.cell?.cell?.corners;
  if (corners) present.addLayer(cellArea(corners, t("strangerSees")));
  const radius = place.uncertainty_m ?? place.accuracy_m;
  if (radius) present.addLayer(circle(place, "person", radius));
  present.addLayer(dot(place, "person", 8, shown.id));
  for (const friend of friends) present.addLayer(dot(friend, "friend", 6, friend.name ?? friend.id));
}

/** Describes the exact position and the strangers' view. */
function describe(place, at) {
  const seen = place.seen_until ?? place.at;
  const radius = place.uncertainty_m ?? place.accuracy_m;
  byId("person-truth").replaceChildren(...definitions({
    position: `${place.lat}, ${place.lon}`,
    seen: seen && `${time(seen)} (${age(seen, at ? new Date(at) : Date.now())})`,
    staysSince: place.since && time(place.since),
    uncertainty: radius !== undefined && `± ${distance(radius)}`,
    basis: place.basis && t(`basis_${place.basis}`),
    precision: t(`precision_${place.precision}`),
  }));
  byId("person-cell").replaceChildren(...definitions(discoveryCell(shown.cell)));
}

function listFriends(friends) {
  byId("person-friends").replaceChildren(...friends.map((friend) => {
    const seen = friend.at && age(friend.seen_until ?? friend.at);
    return element("li", {},
      element("button", { type: "button", onclick: () => { goTo(friend, 14); openCard("person", friend); } }, friend.name ?? friend.id),
      element("small", {}, [distance(friend.distance_m), seen].filter(Boolean).join(" · ")));
  }));
  byId("person-alone").hidden = friends.length > 0;
}

/** The id of the only person with a name; undefined if there are none or several. */
async function onlyOne(q) {
  const { items } = await fetchJSON(get("/v1/people", { q, limit: 2 })).catch(() => ({ items: [] }));
  return items.length === 1 && items[0].id !== q ? items[0].id : undefined;
}

/** Offers other people whose names begin with the text, because one of them may have been meant. */
async function offerOthers(q) {
  const asked = get("/v1/people", { q, limit: 6 });
  const { items } = await offering((signal) => fetchJSON(asked, signal)).catch(() => ({ items: [] }));
  const others = items.filter(({ id }) => id !== shown?.id);
  if (!others.length) return;
  const choose = (id) => { byId("person-id").value = id; show(id); };
  byId("person-others").replaceChildren(t("personOthers"), ...others.map(({ id, name, surname, city }) => {
    const full = [name, surname].filter(Boolean).join(" ");
    return element("button", { type: "button", onclick: () => choose(id) }, [full, city].filter(Boolean).join(", "));
  }));
}

/** Aborts pending requests, and clears the map. */
function close() {
  showing(() => Promise.resolve());
  latest(() => Promise.resolve());
  past.clearLayers();
  present.clearLayers();
}

export const person = {
  start() {
    [past, present] = [layer(), layer()];
    const showNamed = async () => {
      const id = byId("person-id").value.trim();
      if (!id) return;
      await show(id);
      reveal(byId("person-status"));
      offerOthers(id);
    };
    byId("person-form").addEventListener("submit", (event) => { event.preventDefault(); showNamed(); });
    byId("person-days").addEventListener("change", showNamed);
    suggestPeople(byId("person-id"));
    byId("person-time").addEventListener("input", travel);
    byId("person-time").addEventListener("change", () => stateChanged());
  },
  open(isRestored) { if (shown && !isRestored) travel(); },
  close,
  state: () => shown && { id: shown.id, days: byId("person-days").value, at: timeShown() },
  restore({ id, days, at }, keepsMap) {
    if ([...byId("person-days").options].some(({ value }) => value === days)) byId("person-days").value = days;
    byId("person-id").value = id ?? "";
    if (id) return show(id, { at, keepsMap });
    close();
    shown = undefined;
    hide(true);
    byId("person-status").textContent = "";
    byId("person-others").replaceChildren();
    return undefined;
  },
  recover() {
    const id = byId("person-id").value.trim();
    if (id && !byId("person").hidden) show(id, { at: shown && timeShown(), keepsMap: true });
  },
  refresh() { return shown && !byId("person").hidden && show(shown.id, { at: timeShown(), keepsMap: true }); },
};
