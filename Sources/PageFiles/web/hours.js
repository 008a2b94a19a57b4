// Opening hours: the service's answer for now, and the times of today where they are written plainly.
import { zoneName, zonedTime } from "./dom.js";
import { t } from "./words.js";

const days = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];

/** Whether a place is open and until when, on its own clock. */
export function opening({ open, opens_at, closes_at, timezone, timezone_guessed }) {
  const zone = timezone ?? timezone_guessed;
  if (open === true) return closes_at ? t("openUntil", { time: zonedTime(closes_at, zone) }) : t("open");
  if (open === false) return opens_at ? t("opensAt", { time: zonedTime(opens_at, zone) }) : t("closed");
  return undefined;
}

/** Whether days such as `Mo-Fr,Su` have a day; none stands for all. */
function includes(list, day) {
  if (!list) return true;
  return list.split(",").some((range) => {
    const [first, last] = range.split("-").map((name) => days.indexOf(name));
    return last === undefined ? first === day : (day - first + 7) % 7 <= (last - first + 7) % 7;
  });
}

/** The times of a day of the week; undefined for hours that are not written plainly, since a guess would mislead. */
function timesOn(hours, day) {
  const dayNames = `(?:${days.join("|")})`;
  const rule = new RegExp(`^(?:(${dayNames}(?:[-,]${dayNames})*) )?(off|24/7|(?:\\d\\d:\\d\\d-\\d\\d:\\d\\d,?)+)$`);
  let times = "off";
  for (const text of hours.split(";").map((one) => one.trim()).filter(Boolean)) {
    const [, list, said] = text.replace(/, /g, ",").match(rule) ?? [];
    if (!said) return undefined;
    if (includes(list, day)) times = said;
  }
  return times;
}

/** The hours of today on the place's own clock, such as `Today 10:00–14:00`; undefined if they cannot be read surely. */
export function today({ hours, timezone, timezone_guessed }, now = new Date()) {
  const timeZone = timezone ?? timezone_guessed;
  if (!hours || !timeZone) return undefined;
  let day;
  try { day = days.indexOf(now.toLocaleDateString("en", { weekday: "short", timeZone }).slice(0, 2)); } catch {
    // The browser may not know a zone that the service knows.
    return undefined;
  }
  const times = timesOn(hours, day);
  if (times === undefined) return undefined;
  if (times === "off") return t("closedToday");
  if (times === "24/7") return t("openAllDay");
  const written = times.replace(/,/g, ", ").replace(/-/g, "–");
  return t("today", { times: [written, zoneName(timeZone)].filter(Boolean).join(" ") });
}
