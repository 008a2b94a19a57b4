// The card of one place, person, fence or city, shown above the open view.
import { latestOnly } from "./api.js";
import { cityCard } from "./city.js";
import { byId, showError, stateChanged } from "./dom.js";
import { fenceCard } from "./fence-card.js";
import { dot, layer } from "./map.js";
import { personCard } from "./person-card.js";
import { placeCard } from "./place-card.js";
import { isHigh, lower, raise } from "./sheet.js";
import { t } from "./words.js";

/**
 * Makers of cards: each takes an item, a layer to draw on and a signal, and returns the card's `name` and `children`.
 *
 * A returned `at` is marked on the map. `onMove` is called with a newer position, `onEvent` with an event.
 */
const makers = { place: placeCard, person: personCard, fence: fenceCard, city: cityCard };
const filling = latestOnly();
let drawn;
/** The open card: kind, item, previously focused element, scroll position, and whether the sheet was high. */
let shown;

/** Opens a card in place of the open one; the item needs only an `id`, or a `name` for a city. */
export async function openCard(kind, item) {
  const before = () => ({ opener: document.activeElement, top: byId("panels").scrollTop, wasHigh: isHigh() });
  const { opener, top, wasHigh } = shown ?? before();
  shown = { kind, item, opener, top, wasHigh };
  drawn.clearLayers();
  write(item.name ?? item.id, [t("asking")]);
  byId("card").hidden = false;
  byId("panels").classList.add("has-card");
  byId("panels").scrollTop = 0;
  byId("card-name").focus({ preventScroll: true });
  raise();
  stateChanged(true);
  await fill();
}

/** Requests the content of the card. */
async function fill() {
  const { kind, item } = shown;
  try {
    const made = await filling((signal) => makers[kind](item, drawn, signal));
    // In the meantime another card may have been opened, or this one closed.
    if (shown?.item !== item) return;
    [shown.onMove, shown.onEvent] = [made.onMove, made.onEvent];
    shown.mark = made.at && highlight(made.at);
    write(made.name, made.children);
  } catch (error) {
    if (error.name === "AbortError" || shown?.item !== item) return;
    write(item.name ?? item.id, [""]);
    showError(byId("card-body"), error);
  }
}

function write(name, children) {
  byId("card-name").textContent = name;
  byId("card-body").replaceChildren(...children);
}

/** Marks the position of the item on the map. */
const highlight = (place) => dot(place, "accent", 12, undefined, { fill: false, weight: 3, interactive: false }).addTo(drawn);

/** Closes the card and clears what it drew; restores the focus. */
export function closeCard() {
  if (!shown) return;
  const { opener, top, wasHigh } = shown;
  const hadFocus = document.activeElement === document.body || byId("card").contains(document.activeElement);
  shown = undefined;
  filling(() => Promise.resolve());
  drawn.clearLayers();
  byId("card").hidden = true;
  byId("panels").classList.remove("has-card");
  write("", []);
  if (!wasHigh) lower();
  byId("panels").scrollTop = top;
  if (hadFocus && opener?.isConnected && opener !== document.body) opener.focus({ preventScroll: true });
  stateChanged(true);
}

/** Updates a person's open card with a newer position; closes it if the person no longer has one. */
export function moveOnCard(id, place) {
  if (shown?.kind !== "person" || shown.item.id !== id) return undefined;
  if (!place) return closeCard();
  shown.mark?.setLatLng([place.lat, place.lon]);
  return shown.onMove?.(place);
}

/** Adds an event to the open card of its fence. */
export const listOnCard = (event) => shown?.onEvent?.(event);

/** The open card as written in the address, such as `place:s1`. */
export const cardAddress = () => shown && shown.kind !== "city" ? `${shown.kind}:${shown.item.id}` : undefined;

/** Opens the card named in the address; closes the open one if the address names none. */
export function restoreCard(text = "") {
  if (text === cardAddress()) return undefined;
  const [kind, id] = [text.split(":")[0], text.slice(text.indexOf(":") + 1)];
  if (["place", "person", "fence"].includes(kind) && id) return openCard(kind, { id });
  return closeCard();
}

/** Fills the card again, in another language or for another token. */
export const refreshCard = () => {
  if (!shown) return undefined;
  drawn.clearLayers();
  return fill();
};

export function startCard() {
  drawn = layer();
  byId("card-close").addEventListener("click", closeCard);
  byId("panels").addEventListener("keydown", ({ key }) => { if (key === "Escape") closeCard(); });
}
