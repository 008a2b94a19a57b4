// Elements, and the formatting of numbers, times and requests.
import { curl, token } from "./api.js";
import { t, language } from "./words.js";

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** A new element; strings among the children become text, never markup. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== ""));
  return made;
}

/** Terms with their descriptions, without missing ones; the terms are keys of words. */
export const definitions = (facts) => Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false)
  .flatMap(([key, fact]) => [element("dt", {}, t(key)), element("dd", {}, fact)]);

/** A distance in the units of the reader's language. */
export function distance(meters) {
  const [value, unit] = meters < 1000 ? [meters, "meter"] : [meters / 1000, "kilometer"];
  const digits = meters < 1000 || meters >= 100_000 ? 0 : 1;
  // No line break between number and unit.
  return new Intl.NumberFormat(language(), { style: "unit", unit, maximumFractionDigits: digits }).format(value)
    .replace(/\s/g, "\u00a0");
}

/** A time in the reader's time zone. */
export const time = (text) =>
  new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });

/** Whether a time is on the present day in a time zone. */
export function isToday(text, timeZone, now = new Date()) {
  const day = (at) => at.toLocaleDateString("en", { timeZone });
  try { return day(new Date(text)) === day(now); } catch { return false; }
}

/** A time in a time zone, with the zone's name if the reader's clock differs, and without the date if it is `short`. */
export function zonedTime(text, timeZone, short = false) {
  const show = (options) => new Date(text).toLocaleString(language(), {
    ...short ? {} : { day: "numeric", month: "short" }, hour: "2-digit", minute: "2-digit", ...options,
  });
  const days = { day: "numeric" };
  try {
    const isSame = show({ ...days, timeZone }) === show(days);
    return show({ timeZone, ...isSame ? {} : { timeZoneName: "shortGeneric" } });
  } catch {
    // The browser may not know a zone that the service knows.
    return show({ timeZoneName: "shortGeneric" });
  }
}

/** The name of a time zone, or empty if the reader's clock shows the same time. */
export function zoneName(timeZone, at = new Date()) {
  const show = (options) => at.toLocaleString("en", { dateStyle: "short", timeStyle: "short", ...options });
  if (show({ timeZone }) === show()) return "";
  return new Intl.DateTimeFormat(language(), { timeZone, timeZoneName: "shortGeneric" })
    .formatToParts(at).find(({ type }) => type === "timeZoneName").value;
}

/** A time as written in requests, in whole seconds. */
export const instant = (milliseconds) => `${new Date(Math.ceil(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** The initials of a name, shown in place of a photo. */
export const initials = (name) =>
  name.split(/\s+/).filter(Boolean).map((word) => [...word][0]).slice(0, 2).join("").toUpperCase();

/** A text without accents, in lower case. */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The id derived from a typed name: `Móvil de Ana` becomes `movil-de-ana`. */
export const idOf = (name) => plain(name)
  .replace(/[^a-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 64);

/** The approximate age of a time, such as `2 minutes ago`. */
export function age(text, now = Date.now()) {
  const seconds = Math.round((now - new Date(text)) / 1000);
  if (Math.abs(seconds) < 1) return t("justNow");
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, unit] = units.find(([size]) => seconds >= size) ?? units.at(-1);
  return new Intl.RelativeTimeFormat(language()).format(-Math.floor(seconds / size), unit);
}

const money = (currency) => new Intl.NumberFormat(language(), { style: "currency", currency });

/** The number of minor units in one unit of a currency, such as 100 cents. */
export const minorUnits = (currency) => 10 ** money(currency).resolvedOptions().maximumFractionDigits;

/** A price, given in minor units, with its currency. */
export const price = (minor, currency) => money(currency).format(minor / minorUnits(currency));

/** A text with a button that copies it. */
export function copyable(text) {
  const code = element("code", { tabindex: 0 }, text);
  const copy = element("button", { type: "button", onclick: () => copyText(text, code, copy) }, t("copy"));
  return [element("pre", {}, code), copy];
}

/** Shows the requests behind an answer in a box, as commands to copy. */
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
    // Browsers deny pages without TLS access to the clipboard; the selection can be copied by hand.
    button.textContent = t("selected");
  }
}

/** Announces that the view shows something else, so that the address is updated; `isNew` adds a step to the history. */
export const stateChanged = (isNew = false) => document.dispatchEvent(new CustomEvent("stateChanged", { detail: isNew }));

/** Why the service refuses tokens: its sentences, and the keys of their translations. */
const refusals = [
  [/has expired/, "tokenExpired"], [/neither a JSON/, "tokenNone"], [/not valid yet|in the future/, "tokenEarly"],
  [/revoked|tokens_not_before/, "tokenEnded"], [/unknown key|not signed|another (issuer|service)/, "tokenForeign"],
];

/** The reason for which a token is refused, in the reader's language if it is a common one. */
function refusal(reason) {
  const [, key] = refusals.find(([pattern]) => pattern.test(reason)) ?? [];
  return t("tokenRefused", { reason: key ? t(key) : reason });
}

/** Shows an error in a status line; the line is marked while the service cannot be reached, to be refreshed later. */
export function showError(line, error) {
  if (error.name === "AbortError") return;
  line.toggleAttribute("data-lost", error.isUnreached === true);
  const isRefused = error.status === 401;
  line.textContent = !isRefused ? error.message
    : token() ? refusal(error.message) : t("tokenNeeded");
}
