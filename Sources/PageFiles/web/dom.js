// Elements, and how numbers, times and requests are shown.
import { curl, token } from "./api.js";
import { t, language } from "./words.js";

/** The element of an id. */
export const byId = (id) => document.getElementById(id);

/** A new element; text among the children is text, whatever it contains. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== ""));
  return made;
}

/** Terms with their descriptions, those that are there; the terms are keys of words. */
export const definitions = (facts) => Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false)
  .flatMap(([key, fact]) => [element("dt", {}, t(key)), element("dd", {}, fact)]);

/** A distance in the units of the reader's language. */
export function distance(meters) {
  const [value, unit] = meters < 1000 ? [meters, "meter"] : [meters / 1000, "kilometer"];
  const digits = meters < 1000 || meters >= 100_000 ? 0 : 1;
  // A line does not break between number and unit.
  return new Intl.NumberFormat(language(), { style: "unit", unit, maximumFractionDigits: digits }).format(value)
    .replace(/\s/g, "\u00a0");
}

/** A time as the reader's clock shows it. */
export const time = (text) =>
  new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });

/** A time on the clock of a zone, with the name of the zone if the reader's clock differs from it. */
export function zonedTime(text, timeZone) {
  const show = (options) => new Date(text).toLocaleString(language(), {
    day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", ...options,
  });
  try {
    const there = show({ timeZone });
    return there === show() ? there : show({ timeZone, timeZoneName: "shortGeneric" });
  } catch {
    // The browser may not know a zone that the service knows.
    return show({ timeZoneName: "shortGeneric" });
  }
}

/** The name of a zone whose clock differs from the reader's; empty if it does not. */
export function zoneName(timeZone, at = new Date()) {
  const show = (options) => at.toLocaleString("en", { dateStyle: "short", timeStyle: "short", ...options });
  if (show({ timeZone }) === show()) return "";
  return new Intl.DateTimeFormat(language(), { timeZone, timeZoneName: "shortGeneric" })
    .formatToParts(at).find(({ type }) => type === "timeZoneName").value;
}

/** A time as requests have it, in whole seconds. */
export const instant = (milliseconds) => `${new Date(Math.ceil(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** The first letters of a name, in place of a photo. */
export const initials = (name) =>
  name.split(/\s+/).filter(Boolean).map((word) => [...word][0]).slice(0, 2).join("").toUpperCase();

/** A text without accents, in lower case. */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** An id for a name that people type: `Móvil de Ana` is `movil-de-ana`. */
export const idOf = (name) => plain(name)
  .replace(/[^a-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 64);

/** How long ago a time is, roughly. */
export function age(text, now = Date.now()) {
  const seconds = Math.round((now - new Date(text)) / 1000);
  if (Math.abs(seconds) < 1) return t("justNow");
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, unit] = units.find(([size]) => seconds >= size) ?? units.at(-1);
  return new Intl.RelativeTimeFormat(language()).format(-Math.floor(seconds / size), unit);
}

const money = (currency) => new Intl.NumberFormat(language(), { style: "currency", currency });

/** How many minor units one of a currency is, such as 100 cents. */
export const minorUnits = (currency) => 10 ** money(currency).resolvedOptions().maximumFractionDigits;

/** A price in minor units. */
export const price = (minor, currency) => money(currency).format(minor / minorUnits(currency));

/** A text with a button that copies it. */
export function copyable(text) {
  const code = element("code", { tabindex: 0 }, text);
  const copy = element("button", { type: "button", onclick: () => copyText(text, code, copy) }, t("copy"));
  return [element("pre", {}, code), copy];
}

/** Puts the requests that led to an answer into a box, as commands to copy. */
export function showRequests(box, ...requests) {
  box.replaceChildren(...requests.map((request) => {
    return element("details", {}, element("summary", {}, `${request.method} ${request.path}`), ...copyable(curl(request)));
  }));
}

async function copyText(text, code, button) {
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = t("copied");
  } catch {
    // Browsers keep the clipboard from pages without TLS; what is selected can be copied by hand.
    button.textContent = t("selected");
  }
}

/** Announces that the view shows something else, for the address; `isNew` is a step that the back button undoes. */
export const stateChanged = (isNew = false) => document.dispatchEvent(new CustomEvent("stateChanged", { detail: isNew }));

/** Says in a status line what went wrong; it is marked while the service is not reached, to be asked again later. */
export function showError(line, error) {
  if (error.name === "AbortError") return;
  line.toggleAttribute("data-lost", error.isUnreached === true);
  const isRefused = error.status === 401;
  line.textContent = !isRefused ? error.message
    : token() ? t("tokenRefused", { reason: error.message }) : t("tokenNeeded");
}
