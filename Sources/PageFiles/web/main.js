// The page begins here: language, token and the views.
import { cardAddress, closeCard, openCard, refreshCard, restoreCard, startCard } from "./card.js";
import { startConnection } from "./connection.js";
import { byId, stateChanged } from "./dom.js";
import { showEdges } from "./edges.js";
import { fencesPanel as fences } from "./fences.js";
import { live } from "./live.js";
import { startLocate } from "./locate.js";
import { fitMap, goToAddress, hasMap, isMapNamed, map, mapAddress, startMap } from "./map.js";
import { near } from "./near.js";
import { office } from "./office.js";
import { person } from "./person.js";
import { placesLayer, showData } from "./places.js";
import { refreshSearch, startSearch } from "./search.js";
import { service } from "./service.js";
import { startSettings } from "./settings.js";
import { raise, startSheet } from "./sheet.js";
import { startTour } from "./tour.js";
import { setLanguage, language, t } from "./words.js";

/**
 * The views: each starts once, draws when it is opened, clears that when it is closed, and is refreshed when language
 * or token change.
 *
 * `choose` takes the places that are clicked while the view is open. `state` returns what the address keeps of it,
 * and `restore` shows that again; `open` learns whether it will be called. `recover` asks again for what did not come while
 * the service was not reached, if that is less than `refresh`.
 */
const views = { near, person, fences, live, service, office };
let open = "near";
/** Whether the address is being shown, and must not be written. */
let isRestoring = true;

/** Writes the words into the page: the text, label or title that an element's `data-` attributes name. */
function write() {
  document.documentElement.lang = language();
  for (const item of document.querySelectorAll("[data-t]")) item.textContent = t(item.dataset.t);
  for (const item of document.querySelectorAll("[data-label]")) item.setAttribute("aria-label", t(item.dataset.label));
  for (const item of document.querySelectorAll("[data-title]")) item.title = t(item.dataset.title);
  for (const item of document.querySelectorAll("[data-hint]")) item.placeholder = t(item.dataset.hint);
  showEdges(byId("views"));
}

const refresh = () => Promise.all([...Object.values(views).map((view) => view.refresh?.()), refreshCard()]);

/** Writes view, map and what the view shows into the address. */
function writeAddress(isNew) {
  if (isRestoring) return;
  const state = Object.entries({ ...views[open].state?.(), card: cardAddress() }).filter(([, value]) => value);
  const query = new URLSearchParams(state).toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
  const address = `#${open}/${mapAddress()}${query ? `?${query}` : ""}`;
  if (address !== location.hash) history[isNew ? "pushState" : "replaceState"](null, "", address);
}

/**
 * Shows what the address names; one without a view, such as `#14/39.47/-0.376`, opens the first.
 *
 * `placing` is awaited at the start, while the map still looks for its place.
 */
async function readAddress(placing) {
  isRestoring = true;
  try {
    const [path, query] = location.hash.slice(1).split("?");
    const name = Object.hasOwn(views, path.split("/")[0]) ? path.split("/")[0] : "near";
    const keepsMap = goToAddress();
    const isRestored = !placing || query !== undefined;
    select(name, isRestored);
    await placing;
    // The reader may have opened another view in the meantime.
    if (open !== name) return;
    if (!isRestored) return await views[name].prepare?.();
    const { card, ...state } = Object.fromEntries(new URLSearchParams(query));
    await views[name].restore?.(state, keepsMap);
    await restoreCard(card);
  } finally {
    isRestoring = false;
    writeAddress();
  }
}

function select(name, isRestored) {
  document.body.dataset.view = name;
  for (const view of Object.keys(views)) {
    const tab = byId(`${view}-tab`);
    tab.setAttribute("aria-selected", view === name);
    tab.tabIndex = view === name ? 0 : -1;
    byId(view).hidden = view !== name;
  }
  byId(`${name}-tab`).scrollIntoView({ block: "nearest", inline: "center" });
  showEdges(byId("views"));
  // The back office hides the map.
  fitMap();
  if (name === open) return;
  closeCard();
  views[open].close?.();
  open = name;
  views[name].open?.(isRestored);
  stateChanged(true);
}

/** Tabs as the ARIA Authoring Practices describe them: arrows go from one to the next. */
function startTabs() {
  const names = Object.keys(views);
  for (const [index, name] of names.entries()) {
    const tab = byId(`${name}-tab`);
    tab.addEventListener("click", () => {
      closeCard();
      select(name);
      raise();
      // The card gives the focus back to what opened it, such as the search box with its keyboard.
      tab.focus({ preventScroll: true });
    });
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = names[(index + step + names.length) % names.length];
      select(next);
      byId(`${next}-tab`).focus();
    });
  }
  select(open);
}

async function start() {
  setLanguage(navigator.language);
  write();
  byId("missing").hidden = hasMap;
  byId("views").hidden = !hasMap;
  if (hasMap) await startViews();
  document.body.dataset.ready = "true";
}

/** Takes ground that was clicked. */
function choose({ lat, lon }) {
  closeCard();
  views[open].choose?.({ lat, lon });
}

/** Opens a card; where a fence is drawn a place is ground like any other. */
const pick = (kind) => (item) => open === "fences" ? choose(item) : openCard(kind, item);

/** Whether the map has once been where the data are, or where the address says. */
let isPlaced = isMapNamed();

/** Goes where the data are if the map has not been there, and draws what is seen; without a token there may be none. */
async function place() {
  try {
    const hasMoved = !isPlaced && await showData();
    isPlaced = true;
    // Otherwise its move has drawn the map.
    if (!hasMoved) draw();
  } catch { draw(); /* The views say why. */ }
}

let draw = () => {};

/** Asks again for what did not come while the service was not reached. */
function recover() {
  const isMissing = (part) => part.matches("[data-lost]") || part.querySelector("[data-lost]") !== null;
  const missing = Object.keys(views).filter((name) => isMissing(byId(name)));
  const [isCardMissing, isSearchMissing] = [byId("card"), byId("search")].map(isMissing);
  for (const part of document.querySelectorAll("[data-lost]")) part.removeAttribute("data-lost");
  map.fire("recover");
  place();
  for (const name of missing) (views[name].recover ?? views[name].refresh)();
  if (isCardMissing) refreshCard();
  if (isSearchMissing) refreshSearch();
}

async function startViews() {
  startTabs();
  startCard();
  startSearch();
  startSheet();
  startTour();
  startConnection(recover);
  startSettings(() => { write(); refresh(); }, () => { place(); refresh(); });
  Object.values(views).forEach((view) => view.start());
  draw = startMap(choose, pick("city"), placesLayer(pick("place"), choose));
  startLocate((found) => { if (open === "near") choose(found); });
  write();
  document.addEventListener("stateChanged", ({ detail }) => writeAddress(detail));
  addEventListener("popstate", () => readAddress());
  // The move to a place that the address names draws the map.
  await readAddress(isPlaced ? Promise.resolve() : place());
}

start();
