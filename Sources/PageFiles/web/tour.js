// A tour of four steps at the first visit. The page stays usable; once closed, the tour returns only on request.
import { byId } from "./dom.js";
import { t } from "./words.js";

/** The steps in order, with the elements that they point at. */
const steps = [["search", "search-box"], ["map", "map"], ["live", "live-tab"], ["office", "office-tab"]];
const key = "cerca-tour";
let step;

/** Whether the tour was closed before; true in browsers that store nothing, which would show it each time. */
function wasClosed() {
  try { return localStorage.getItem(key) !== null; } catch { return true; }
}

/** Highlights the element of a step and no other. */
function point(id) {
  for (const [, other] of steps) byId(other).classList.toggle("toured", other === id);
  if (id) byId(id).scrollIntoView({ block: "nearest", inline: "nearest" });
}

function show(next) {
  step = next;
  const [name, id] = steps[step];
  const isLast = step === steps.length - 1;
  // A change of language translates the text by this key.
  const text = byId("tour-text");
  text.dataset.t = `tour_${name}`;
  text.textContent = t(text.dataset.t);
  byId("tour-count").textContent = `${step + 1} / ${steps.length}`;
  // A focused button that is hidden would lose the focus.
  if (isLast && document.activeElement === byId("tour-next")) byId("tour-close").focus();
  byId("tour-next").hidden = isLast;
  byId("tour").hidden = false;
  point(id);
}

function close() {
  const hadFocus = byId("tour").contains(document.activeElement);
  byId("tour").hidden = true;
  point();
  try { localStorage.setItem(key, "closed"); } catch { /* The browser stores nothing. */ }
  const button = byId("tour-open");
  if (hadFocus) (button.offsetParent ? button : byId("map")).focus();
}

/** Starts the button of the tour, and the tour itself at the first visit, without taking the focus. */
export function startTour() {
  byId("tour-open").addEventListener("click", () => { show(0); byId("tour-next").focus(); });
  byId("tour-next").addEventListener("click", () => show(step + 1));
  byId("tour-close").addEventListener("click", close);
  addEventListener("keydown", (event) => {
    // The search box and a card close themselves first.
    if (event.key !== "Escape" || byId("tour").hidden || event.target.closest("#search, #panels")) return;
    close();
  });
  if (!wasClosed()) show(0);
}
