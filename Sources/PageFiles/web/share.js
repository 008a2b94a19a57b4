// The page of a link: a person's position while the link is open, or a place.
import { age, byId, price, time } from "./dom.js";
import { circle, dot, drawGround, goTo, hasMap, layer, line, map } from "./map.js";
import { language, setLanguage, t } from "./words.js";

/** The last answer, and all positions since the link was created or the page was opened. */
let shared;
let trail = [];
let drawing;
/** Whether the stream has been down for a while. */
let isLost = false;
/** How long a stream may be down before the page reports it, in milliseconds. */
const lossTimeout = 5000;

/** The radius of uncertainty around a position, in meters. */
const reach = ({ accuracy_m, precision }) => ({ exact: accuracy_m, approximate: 700, city: 5000 })[precision];

const writePlace = (place) => { byId("place").textContent = place ? `${place.lat}, ${place.lon}` : ""; };

function write() {
  if (isLost) byId("status").textContent = t("lost");
  if (!shared) return;
  const { label, position, expires } = shared;
  byId("label").textContent = label ?? t("sharedPlace");
  writePlace(position);
  byId("until").textContent = t("sharedUntil", { time: time(expires) });
  if (isLost) return;
  byId("status").textContent = position
    ? t(`shared_${position.precision}`, { age: age(position.seen_until ?? position.at) }) : t("sharedNowhere");
}

function draw() {
  drawing.clearLayers();
  const { position } = shared;
  if (shared.trail && trail.length > 1) drawing.addLayer(line(trail, "person"));
  if (!position) return;
  if (reach(position)) drawing.addLayer(circle(position, "person", reach(position)));
  drawing.addLayer(dot(position, "person", 8));
}

/** Shows an answer of the link; only the first one has the trail. */
function show(answer) {
  const before = shared?.position;
  if (answer.trail) trail = answer.trail;
  shared = { ...answer, trail: answer.trail ?? shared?.trail };
  const { position } = shared;
  if (position && (position.lat !== trail.at(-1)?.lat || position.lon !== trail.at(-1)?.lon)) trail.push(position);
  write();
  if (!hasMap) return;
  draw();
  if (!position) return;
  if (!before) goTo(position, position.precision === "city" ? 10 : 14);
  else if (!map.getBounds().contains([position.lat, position.lon])) goTo(position, 2);
}

const fetchPlace = () => fetch(location.pathname, { headers: { Accept: "application/json" } });

function end(key) {
  shared = undefined;
  clearTimeout(losing);
  drawing?.clearLayers();
  byId("label").textContent = t(key);
  writePlace();
  byId("status").textContent = byId("until").textContent = "";
}

let losing;

/** Follows the link until it ends; the browser reconnects by itself unless it was refused. */
function follow() {
  const source = new EventSource(location.pathname);
  source.onopen = () => {
    clearTimeout(losing);
    losing = undefined;
    isLost = false;
  };
  source.onmessage = ({ data }) => show(JSON.parse(data));
  source.onerror = async () => {
    losing ??= setTimeout(() => { isLost = true; write(); }, lossTimeout);
    if (source.readyState !== EventSource.CLOSED) return;
    // A request for the page counts no view, and returns whether the link is open.
    const { status } = await fetch(location.pathname).catch(() => ({ status: 0 }));
    if (status === 404) end("sharedEnded");
    else setTimeout(follow, 5000);
  };
}

async function showPlace() {
  const response = await fetchPlace();
  if (!response.ok) return end("noPlace");
  const place = await response.json();
  const { product } = place;
  byId("label").textContent = document.title = product ? [product.brand, product.name].filter(Boolean).join(" ") : place.name;
  const cost = product?.currency && price(product.price, product.currency);
  byId("status").textContent = [cost, product && place.name, place.address].filter(Boolean).join(" · ");
  if (place.lat === undefined) return;
  writePlace(place);
  if (!hasMap) return;
  drawing.addLayer(dot(place, "place", 8, place.name));
  goTo(place, 15);
}

async function start() {
  setLanguage(navigator.language);
  document.documentElement.lang = language();
  byId("map").setAttribute("aria-label", t("sharedMap"));
  if (hasMap) {
    const drawCities = drawGround([2, 25, 0]);
    map.on("moveend", drawCities);
    drawing = layer();
  } else {
    byId("until").textContent = t("leafletMissing");
  }
  if (location.pathname.startsWith("/p/")) await showPlace();
  else follow();
  setInterval(write, 10_000);
  document.body.dataset.ready = "true";
}

start();
