// The panel: on a phone a sheet over the map, dragged or opened by its handle; on a wide screen a column.
import { byId } from "./dom.js";
import { fitMap } from "./map.js";

const heights = ["low", "half", "high"];
const sheet = () => byId("sheet");

/** Sets the sheet to one of its heights; the map fills the rest, so that its center is visible. */
function rest(height) {
  sheet().style.height = "";
  sheet().dataset.height = document.body.dataset.sheet = height;
  byId("sheet-handle").setAttribute("aria-expanded", height !== "low");
  fitMap();
}

/** The height nearest to a fraction of the screen. */
const nearest = (part) => part < 0.3 ? "low" : part < 0.7 ? "half" : "high";

/** Raises a low panel, so that its new content is visible. */
export const raise = () => { if (sheet().dataset.height === "low") rest("half"); };

/** Whether the panel covers the map. */
export const isHigh = () => sheet().dataset.height === "high";

/** Lowers a panel that covers the map. */
export const lower = () => { if (isHigh()) rest("half"); };

/** Scrolls to a part of the panel on a phone, where little of it is visible. */
export function reveal(part) {
  raise();
  if (sheet().offsetWidth === innerWidth) part.scrollIntoView({ block: "start" });
}

export function startSheet() {
  const handle = byId("sheet-handle");
  let from;
  let isDragged = false;
  handle.addEventListener("pointerdown", ({ clientY, pointerId }) => {
    from = { y: clientY, height: sheet().offsetHeight };
    isDragged = false;
    handle.setPointerCapture(pointerId);
  });
  handle.addEventListener("pointermove", ({ clientY }) => {
    if (!from || (!isDragged && Math.abs(clientY - from.y) < 6)) return;
    isDragged = true;
    sheet().style.height = `${Math.max(48, from.height + from.y - clientY)}px`;
  });
  const end = () => {
    if (from && isDragged) rest(nearest(sheet().offsetHeight / sheet().parentElement.offsetHeight));
    from = undefined;
  };
  handle.addEventListener("pointerup", end);
  handle.addEventListener("pointercancel", end);
  handle.addEventListener("click", () => {
    if (!isDragged) rest(heights[(heights.indexOf(sheet().dataset.height) + 1) % heights.length]);
    isDragged = false;
  });
  byId("settings-open").addEventListener("click", ({ currentTarget }) =>
    currentTarget.setAttribute("aria-expanded", currentTarget.getAttribute("aria-expanded") !== "true"));
  byId("legend").open = sheet().offsetWidth < innerWidth;
  rest("low");
}
