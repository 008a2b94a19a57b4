// A button that moves the map to the reader's position, which stays in the browser unless a view searches from it.
import { byId, element } from "./dom.js";
import { circle, dot, goTo, layer, map } from "./map.js";
import { t } from "./words.js";

const L = window.L;

/** The milliseconds for which the reason for a missing position is shown. */
const shownFor = 8000;

/** Adds the button; `choose` is called with the reader's position. */
export function startLocate(choose) {
  const drawn = layer();
  let timer;
  /** Writes the status line; a reason disappears after a while, and with a new view or card. */
  function say(key, isPassing) {
    clearTimeout(timer);
    byId("map-status").textContent = key ? t(key) : "";
    if (isPassing) timer = setTimeout(say, shownFor);
  }
  document.addEventListener("stateChanged", ({ detail }) => { if (detail) say(); });

  function show({ coords }) {
    const place = { lat: +coords.latitude.toFixed(6), lon: +coords.longitude.toFixed(6) };
    say();
    drawn.clearLayers();
    drawn.addLayer(circle(place, "accent", coords.accuracy));
    drawn.addLayer(dot(place, "accent", 7, t("youAreHere")));
    goTo(place, 15);
    choose(place);
  }

  function locate() {
    say("locating");
    if (!window.isSecureContext || !navigator.geolocation) return say("locateInsecure", true);
    return navigator.geolocation.getCurrentPosition(
      show, ({ code }) => say(code === 1 ? "locateRefused" : "locateFailed", true), { enableHighAccuracy: true, timeout: 15000 });
  }

  const Button = L.Control.extend({
    options: { position: "topleft" },
    onAdd() {
      const words = { "data-label": "locate", "data-title": "locate" };
      const button = element("button", { type: "button", id: "locate", ...words, onclick: locate }, "◎");
      const bar = element("div", { class: "leaflet-bar" }, button);
      L.DomEvent.disableClickPropagation(bar);
      return bar;
    },
  });
  new Button().addTo(map);
}
