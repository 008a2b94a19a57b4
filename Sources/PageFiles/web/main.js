// The page's entry point: language, token and views.
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
import { placesLayer, showData, showZone } from "./places.js";
import { refreshSearch, startSearch } from "./search.js";
import { service } from "./service.js";
import { startSettings } from "./settings.js";
import { raise, startSheet } from "./sheet.js";
import { startTour } from "./tour.js";
import { setLanguage, language, t } from "./words.js";

/**
 * The views: each starts once, draws when it is opened, clears its drawings when it is closed, and is refreshed when
 * the language or the token changes.
 *
 * `choose` takes a point that is clicked while the view is open. `state` returns the view's part of the address, and
 * `restore` shows it again; `open` gets whether `restore` follows. `recover` repeats the requests that failed while the
 * service was lost; views without it use `refresh`.
 */
const views = { near, person, fences, live, service, office };
let open = "near";
/** Whether the address is being restored, and must not be written. */
let isRestoring = true;

/** Translates the page: the texts, labels and titles named by the elements' `data-` attributes. */
function write() {
  document.documentElement.lang = language();
  for (const item of document.querySelectorAll("[data-t]")) item.textContent = t(item.dataset.t);
  for (const item of document.querySelectorAll("[data-label]")) item.setAttribute("aria-label", t(item.dataset.label));
  for (const item of document.querySelectorAll("[data-title]")) item.title = t(item.dataset.title);
  for (const item of document.querySelectorAll("[data-hint]")) item.placeholder = t(item.dataset.hint);
  showEdges(byId("views"));
}

const refresh = () => Promise.all([...Object.values(views).map((view) => view.refresh?.()), refreshCard()]);

/** Writes the view, the map's position and the view's state into the address. */
function writeAddress(isNew) {
  if (isRestoring) return;
  const state = Object.entries({ ...views[open].state?.(), card: cardAddress() }).filter(([, value]) => value);
  const query = new URLSearchParams(state).toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
  const address = `#${open}/${mapAddress()}${query ? `?${query}` : ""}`;
  if (address !== location.hash) history[isNew ? "pushState" : "replaceState"](null, "", address);
}

/**
 * Shows the view and state in the address; without a view, as in `#14/39.47/-0.376`, it opens the first.
 *
 * `placing` is given at startup, and resolves when the map has its first position.
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

/** Tabs as in the ARIA Authoring Practices: arrow keys move from one to the next. */
function startTabs() {
  const names = Object.keys(views);
  for (const [index, name] of names.entries()) {
    const tab = byId(`${name}-tab`);
    tab.addEventListener("click", () => {
      closeCard();
      select(name);
      raise();
      // The closed card has returned the focus to its opener, such as the search box with its keyboard.
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

/** Handles a click on the empty map. */
function choose({ lat, lon }) {
  closeCard();
  views[open].choose?.({ lat, lon });
}

/** Opens a card; in Fences a click on a place adds a point instead. */
const pick = (kind) => (item) => open === "fences" ? choose(item) : openCard(kind, item);

/** Whether the map has been moved to the data, or to the position in the address. */
let isPlaced = isMapNamed();

/** Whether the map may be moved to the reader's time zone, once, for lack of data. */
let mayGuess = true;

const guess = () => {
  if (isPlaced || !mayGuess) return false;
  mayGuess = false;
  return showZone();
};

/** Moves the map to the data if it has not been there, and draws it; without a token there may be no data. */
async function place() {
  let hasMoved = false;
  try {
    hasMoved = !isPlaced && (await showData() || await guess());
    isPlaced = true;
  } catch { hasMoved = await guess(); /* The views show the error. */ }
  // A move draws the map by itself.
  if (!hasMoved) draw();
}

let draw = () => {};

/** Repeats the requests that failed while the service was lost. */
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
  // The move to the position in the address draws the map.
  await readAddress(isPlaced ? Promise.resolve() : place());
}

start();
