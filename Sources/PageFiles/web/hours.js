// Opening hours: the service's answer for now, and today's times if the hours are simple.
import { isToday, zoneName, zonedTime } from "./dom.js";
import { language, t } from "./words.js";

const days = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];

/** A simple rule, with names of days: its days (undefined for all), and `off`, `24/7` or its times. */
function ruleOf(text, names) {
  const name = `(?:${names.join("|")})`;
  const rule = new RegExp(`^(?:(${name}(?:[-,]${name})*) )?(off|closed|24/7|(?:\\d\\d:\\d\\d-\\d\\d:\\d\\d,?)+)$`);
  const [, list, said] = text.replace(/, /g, ",").match(rule) ?? [];
  return said && { list, said: said === "closed" ? "off" : said };
}

/** Whether a place is open and until when, in its time zone. */
export function opening({ open, opens_at, closes_at, timezone, timezone_guessed }) {
  const zone = timezone ?? timezone_guessed;
  const written = (at, onDay, onThisDay) => {
    const isShort = isToday(at, zone);
    return t(isShort ? onThisDay : onDay, { time: zonedTime(at, zone, isShort) });
  };
  if (open === true) return closes_at ? written(closes_at, "openUntil", "openUntilToday") : t("open");
  if (open === false) return opens_at ? written(opens_at, "opensAt", "opensToday") : t("closed");
  return undefined;
}

/** Whether days such as `Mo-Fr,Su` include a day; no days stand for all. */
function includes(list, day) {
  if (!list) return true;
  return list.split(",").some((range) => {
    const [first, last] = range.split("-").map((name) => days.indexOf(name));
    return last === undefined ? first === day : (day - first + 7) % 7 <= (last - first + 7) % 7;
  });
}

/** The times of a day of the week; undefined for complex hours, since a guess would mislead. */
function timesOn(hours, day) {
  let times = "off";
  for (const text of hours.split(";").map((one) => one.trim()).filter(Boolean)) {
    const rule = ruleOf(text, days);
    if (!rule) return undefined;
    if (includes(rule.list, day)) times = rule.said;
  }
  return times;
}

/** Times with a dash and spaces, such as `10:00–14:00, 17:00–20:00`. */
const written = (times) => times.replace(/,$/, "").replace(/,/g, ", ").replace(/-/g, "–");

/** The name of a day of the week in the reader's language; January 1, 2023 was a Sunday. */
function dayName(day) {
  if (day === "PH") return t("holidays");
  const date = new Date(Date.UTC(2023, 0, 1 + days.indexOf(day)));
  return date.toLocaleDateString(language(), { weekday: "long", timeZone: "UTC" });
}

/** Days such as `Mo-Fr,Su` in words. */
function daysInWords(list) {
  const ranges = list.split(",").map((range) => {
    const [first, last] = range.split("-").map(dayName);
    return last === undefined ? first : t("dayRange", { first, last });
  });
  const words = new Intl.ListFormat(language()).format(ranges);
  return words[0].toLocaleUpperCase(language()) + words.slice(1);
}

/** A rule of opening hours in words; a complex one is returned unchanged. */
export function inWords(text) {
  const rule = ruleOf(text, [...days, "PH"]);
  if (!rule) return text;
  const times = { off: t("closed"), "24/7": t("openAlways") }[rule.said] ?? written(rule.said);
  return rule.list ? `${daysInWords(rule.list)}: ${times}` : times;
}

/** The hours in OpenStreetMap's syntax: as written, or as the service has read them. */
export const hoursRead = ({ hours, hours_warnings: warnings = [] }) =>
  warnings.map((one) => one.match(/^was read as '(.*)'$/s)?.[1]).find(Boolean) ?? hours;

/** Today's hours in the place's time zone, such as `Today 10:00–14:00`; undefined if they are uncertain. */
export function today(place, now = new Date()) {
  const [hours, timeZone] = [hoursRead(place), place.timezone ?? place.timezone_guessed];
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
  return t("today", { times: [written(times), zoneName(timeZone)].filter(Boolean).join(" ") });
}
