// Pins that would hide each other's numbers: the first stands for all of them, and a click on it comes closer.
import { map } from "./map.js";

/** The distance of two pins, in pixels, below which they overlap. */
const room = 24;

/** Groups pins, in their order, by what the map's zoom leaves of their distances. */
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

/** Comes closer to the pins that one stands for; returns whether it stands for any and the map can come closer. */
export function comeCloser(pin) {
  if (!pin.others?.length || map.getZoom() >= map.getMaxZoom()) return false;
  map.fitBounds([pin, ...pin.others].map((one) => one.getLatLng()), { padding: [60, 60], animate: false });
  return true;
}
