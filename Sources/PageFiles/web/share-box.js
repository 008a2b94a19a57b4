// Links to a person's position: a form that creates one, and the open ones.
import { command, escaped, fetchJSON, get } from "./api.js";
import { copyable, element, showError, showRequests, time } from "./dom.js";
import { rights } from "./rights.js";
import { language, t } from "./words.js";

/** The offered durations: seconds, and the number and unit shown. */
const durations = [
  [900, 15, "minute"], [3600, 1, "hour"], [28_800, 8, "hour"], [86_400, 1, "day"], [604_800, 7, "day"],
];
/** The first is the default, as in the API. */
const precisions = ["approximate", "exact", "city"];

const durationWords = (number, unit) =>
  new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(number);

const field = (key, input, look) => element("label", { class: look }, element("span", {}, t(key)), input);

function makeForm() {
  const duration = element("select", { name: "for_s" }, ...durations.map(([seconds, number, unit]) =>
    element("option", { value: seconds, selected: seconds === 3600 }, durationWords(number, unit))));
  const precision = element("select", { name: "precision" }, ...precisions.map((one) =>
    element("option", { value: one }, t(`precision_${one}`))));
  return element("form", { class: "grid" },
    field("share_for", duration), field("precision", precision),
    field("share_label", element("input", { name: "label", maxlength: 100, autocomplete: "off" }), "facet"),
    element("p", { class: "row" }, element("label", { class: "chip" },
      element("input", { type: "checkbox", name: "trail" }), element("span", {}, t("share_trail")))),
    element("p", { class: "row" }, element("button", { type: "submit" }, t("share_create"))));
}

/** The body of the request for a form's link. */
function wanted({ elements }) {
  const label = elements.label.value.trim();
  const [precision, trail] = [elements.precision.value, elements.trail.checked];
  return { precision, for_s: +elements.for_s.value, trail, ...label && { label } };
}

/** A new link, whose address is returned only once: to copy, open, or send if the browser can. */
function madeLink({ url, label, expires }) {
  const href = new URL(url, location.href).href;
  const [text, copy] = copyable(href);
  const send = () => navigator.share({ url: href, title: label }).catch(() => {});
  return [
    element("p", {}, t("share_made", { time: time(expires) })), text,
    element("p", { class: "row" }, copy,
      element("a", { class: "action", href, target: "_blank", rel: "noreferrer" }, t("share_open")),
      navigator.share ? element("button", { type: "button", onclick: send }, t("share_send")) : ""),
  ];
}

/** An open link as a line of the list. */
function lineOf({ id, label, precision, expires, views }, end) {
  const name = label ?? t("sharedPlace");
  const facts = { precision: t(`precision_${precision}`), time: time(expires), count: views };
  const ending = { type: "button", class: "also", "aria-label": `${t("share_end")}: ${name}`, onclick: () => end(id) };
  return element("li", {}, element("span", {}, name), end && element("button", ending, t("share_end")),
    element("small", {}, t("share_facts", facts)));
}

/** The box of a person's links; undefined for those who may not see them, such as friends. */
export async function shareBox(id, signal) {
  const path = `/v1/people/${escaped(id)}/shares`;
  const read = async () => (await fetchJSON(get(path), signal)).items;
  let [links, onlyReads] = [];
  try {
    links = await read();
    ({ onlyReads } = await rights(signal));
  } catch (error) {
    if ([403, 404].includes(error.status)) return undefined;
    throw error;
  }
  const [summary, made, list, requests] = ["summary", "div", "ul", "div"].map((tag) => element(tag));
  const [status, form] = [element("p", { role: "status" }), makeForm()];
  const none = element("p", { class: "quiet" }, t("share_none"));

  function write() {
    summary.textContent = t("share_position") + (links.length ? ` (${links.length})` : "");
    none.hidden = links.length > 0;
    list.replaceChildren(...links.map((one) => lineOf(one, onlyReads ? undefined : end)));
  }

  async function perform(request, done) {
    for (const button of box.querySelectorAll("button")) button.disabled = true;
    status.textContent = "";
    try {
      const answer = await fetchJSON(request);
      made.replaceChildren(...done(answer));
      links = await read();
      write();
    } catch (error) { showError(status, error); }
    for (const button of box.querySelectorAll("button")) button.disabled = false;
    showRequests(requests, request, get(path));
  }

  const end = (share) => perform(command("DELETE", `${path}/${escaped(share)}`), () => {
    status.textContent = t("share_ended");
    status.tabIndex = -1;
    status.focus();
    return [];
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    perform(command("POST", path, wanted(form)), madeLink);
  });
  showRequests(requests, get(path));
  const box = element("details", { class: "share" }, summary, ...onlyReads ? [] : [form], made, status,
    element("h3", {}, t("share_links")), none, list, requests);
  write();
  return box;
}
