// Groups of overlapping pins: only the first is shown, and a click on it zooms in.
import { map } from "./map.js";

/** The distance in pixels below which two pins overlap. */
const room = 24;

/** Groups pins, in their order, by their distances at the map's zoom. */
export function groupPins(pins) {
  const groups = [];
  for (const pin of pins) {
    const at = map.latLngToContainerPoint(pin.getLatLng());
    const group = groups.find((one) => one.at.distanceTo(at) < room);
    if (group) group.pins.push(pin);
    else groups.push({ at, pins: [pin] });
    pin.getElement()?.classList.toggle("behind", group !== undefined);
    pin.getElement()?.removeAttribute("data-more");
  }
  for (const { pins: [first, ...others] } of groups) {
    first.others = others;
    if (others.length) first.getElement()?.setAttribute("data-more", `+${others.length}`);
  }
}

/** Zooms in on a pin's group; returns false if the pin is alone or the map cannot zoom in further. */
export function comeCloser(pin) {
  if (!pin.others?.length || map.getZoom() >= map.getMaxZoom()) return false;
  map.fitBounds([pin, ...pin.others].map((one) => one.getLatLng()), { padding: [60, 60], animate: false });
  return true;
}
