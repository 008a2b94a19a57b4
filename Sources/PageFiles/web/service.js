// The state of the service: health, counts and phone uploads.
import { fetchJSON, get, latestOnly } from "./api.js";
import { byId, definitions, element, showRequests } from "./dom.js";
import { language, t } from "./words.js";

const requests = { alive: get("/livez"), ready: get("/readyz"), phones: get("/v1/ingest") };

/** The names of the phone apps. */
const apps = { owntracks: "OwnTracks", osmand: "OsmAnd", overland: "Overland", gpslogger: "GPSLogger" };

const latest = latestOnly();

/** An answer with its duration in milliseconds, or the error in its place. */
async function timed(one, signal) {
  const start = performance.now();
  try {
    const answer = await fetchJSON(one, signal);
    return { answer, status: `${t("yes")}, ${Math.round(performance.now() - start)} ms` };
  } catch (error) {
    return { status: error.message, isUnreached: error.isUnreached };
  }
}

const look = () => latest(async (signal) => {
  const answers = await Promise.all(Object.values(requests).map((one) => timed(one, signal)));
  if (!signal.aborted) write(answers);
});

function write([alive, ready, phones]) {
  byId("service-state").toggleAttribute("data-lost", alive.isUnreached === true);
  const { people, places, products } = ready.answer ?? {};
  const count = (number) => number?.toLocaleString(language());
  byId("service-state").replaceChildren(...definitions({
    alive: alive.status, ready: ready.status,
    countPeople: count(people), places: count(places), countProducts: count(products),
  }));
  const heading = (scope, text) => element("th", { scope }, text);
  const head = element("tr", {}, ...["phones", "requests", "unreadable"].map((key) => heading("col", t(key))));
  const rows = Object.entries(phones.answer ?? {}).map(([name, { requests, unreadable }]) =>
    element("tr", {}, heading("row", apps[name] ?? name), element("td", {}, requests), element("td", {}, unreadable)));
  byId("service-phones").replaceChildren(...(rows.length ? [head, ...rows] : []));
  showRequests(byId("service-request"), ...Object.values(requests));
}

export const service = {
  start() { byId("service-again").addEventListener("click", look); },
  refresh() { return byId("service").hidden ? undefined : look(); },
  open: look,
};
