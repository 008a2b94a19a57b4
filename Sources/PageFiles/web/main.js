// The page begins here: language, token and the views.
import { keepToken, token } from "./api.js";
import { byId } from "./dom.js";
import { fencesPanel as fences } from "./fences.js";
import { live } from "./live.js";
import { hasMap, startMap } from "./map.js";
import { askNear, near } from "./near.js";
import { person } from "./person.js";
import { service } from "./service.js";
import { setLanguage, language, t } from "./words.js";

/**
 * What can be seen: each view starts once, is opened and closed, and is refreshed when language or token change.
 *
 * One that has `choose` takes the places that are clicked while it is open; the others leave them to what is near.
 */
const views = { near, person, fences, live, service };
let open = "near";

/** Writes the words into the page: the text, label or title that an element's `data-` attributes name. */
function write() {
  document.documentElement.lang = language();
  for (const item of document.querySelectorAll("[data-t]")) item.textContent = t(item.dataset.t);
  for (const item of document.querySelectorAll("[data-label]")) item.setAttribute("aria-label", t(item.dataset.label));
  for (const item of document.querySelectorAll("[data-title]")) item.title = t(item.dataset.title);
}

const refresh = () => Promise.all(Object.values(views).map((view) => view.refresh?.()));

function select(name) {
  for (const view of Object.keys(views)) {
    const tab = byId(`${view}-tab`);
    tab.setAttribute("aria-selected", view === name);
    tab.tabIndex = view === name ? 0 : -1;
    byId(view).hidden = view !== name;
  }
  if (name === open) return;
  views[open].close?.();
  open = name;
  views[name].open?.();
}

/** Tabs as the ARIA Authoring Practices describe them: arrows go from one to the next. */
function startTabs() {
  const names = Object.keys(views);
  for (const [index, name] of names.entries()) {
    const tab = byId(`${name}-tab`);
    tab.addEventListener("click", () => select(name));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = names[(index + step + names.length) % names.length];
      select(next);
      byId(`${next}-tab`).focus();
    });
  }
  select("near");
}

async function start() {
  setLanguage(navigator.language);
  write();
  byId("language").value = language();
  byId("token").value = token();
  byId("missing").hidden = hasMap;
  byId("views").hidden = !hasMap;
  if (hasMap) await startViews();
  document.body.dataset.ready = "true";
}

async function startViews() {
  startTabs();
  let draw = () => {};
  byId("language").addEventListener("change", ({ target }) => { setLanguage(target.value); write(); refresh(); });
  byId("token").addEventListener("change", ({ target }) => { keepToken(target.value.trim()); refresh(); draw(); });
  Object.values(views).forEach((view) => view.start());
  draw = await startMap((place) => {
    if (views[open].choose) return views[open].choose(place);
    select("near");
    return askNear(place);
  });
  await refresh();
}

start();
