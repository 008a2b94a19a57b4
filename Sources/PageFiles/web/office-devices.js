// The phones of a person: their last contacts, and a new one's token with a code to scan.
import { command, fetchJSON, get } from "./api.js";
import { age, copyable, element, showError, showRequests, time } from "./dom.js";
import { confirmed } from "./office-document.js";
import { addressForPhones, canDraw, codeOf } from "./office-code.js";
import { idFrom } from "./office-form.js";
import { filled, headingOf } from "./office-kinds.js";
import { tableOf } from "./office-table.js";
import { t } from "./words.js";

const all = "/v1/people/{id}/devices";

/** The texts of the codes that set up each app: the service's address, the person and the token. */
const setups = {
  OwnTracks(origin, person, { id, token }) {
    const settings = {
      _type: "configuration", mode: 3, url: `${origin}/ingest/owntracks`, auth: true, username: person,
      password: token, deviceId: id, tid: id.slice(0, 2),
    };
    return `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(settings)))}`;
  },
  Overland: (origin, _, { id, token }) =>
    `overland://setup?${new URLSearchParams({ url: `${origin}/ingest/overland`, token, device_id: id })}`,
};

/** The reason for missing codes, as a key of words; undefined if there are codes. */
const whyNone = async (origin) => !origin ? "officeCodeAddress" : await canDraw() ? undefined : "officeCodeMissing";

/** The codes of both apps, one shown at a time for the camera, with a link for a page on the phone itself. */
function codesOf(origin, person, device) {
  const code = element("div", { class: "office-code" });
  const choose = (app) => {
    for (const button of buttons) button.setAttribute("aria-pressed", button.textContent === app);
    const setup = setups[app](origin, person, device);
    const link = element("a", { class: "action", href: setup }, t("officeOpenIn", { app }));
    code.replaceChildren(codeOf(setup, t("officeCodeOf", { app })), element("p", {}, link));
  };
  const buttons = Object.keys(setups).map((app) =>
    element("button", { type: "button", onclick: () => choose(app) }, app));
  choose("OwnTracks");
  return [element("p", {}, t("officeScan")), element("p", { class: "row" }, ...buttons), code];
}

/** A new token, shown once, with the codes that set up an app. */
async function tokenBox(origin, person, device) {
  const isDrawn = await whyNone(origin) === undefined;
  return element(
    "section", { class: "office-secret", "aria-label": device.id },
    element("p", {}, t("officeToken", { name: device.id })), ...copyable(device.token),
    ...isDrawn ? codesOf(origin, person, device) : []);
}

/** The id of a phone: its name if that is a valid id, otherwise an id derived from it. */
const deviceId = (name) => idFrom(name.trim(), 64) || "phone";

/** Shows the devices of a person. */
export async function showDevices(box, { at, signal, onlyReads }) {
  const list = get(filled(all, at.of));
  const status = element("p", { role: "status" });
  const [table, token, requests] = [element("div", { class: "office-scroll" }), element("div"), element("div")];
  const name = element("input", { name: "device", required: true, autocomplete: "off", spellcheck: "false" });
  const named = element("small", { "aria-live": "polite" });
  name.addEventListener("input", () => {
    const id = deviceId(name.value);
    named.textContent = id === name.value.trim() ? "" : t("officeIdMade", { id });
  });
  const form = element(
    "form", {}, element("label", { class: "block" }, element("span", {}, t("officeDevice")), name, named),
    element("button", { type: "submit" }, t("officeAdd")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    issue(command("POST", list.path, { id: deviceId(name.value) }));
  });
  const origin = onlyReads ? undefined : await addressForPhones(signal);
  const reason = onlyReads ? undefined : await whyNone(origin);
  // A token is shown once, so the reason for a missing code is shown before.
  const without = reason ? [element("p", { class: "empty" }, t(reason, { address: location.origin }))] : [];
  const adding = onlyReads ? [] : [element("p", { class: "quiet" }, t("officeDevicesHelp")), ...without, form];
  box.replaceChildren(...adding, status, token, table, requests);

  function row({ id, since, last_heard_at: lastContact, unreadable }) {
    const path = `${list.path}/${encodeURIComponent(id)}`;
    const named = (word, act) => element("button", { type: "button", "aria-label": `${t(word)}: ${id}`, onclick: act }, t(word));
    const remove = async () => {
      if (await confirmed(id)) await perform(command("DELETE", path), () => t("deleted", { name: id }));
    };
    return [
      id, time(since), lastContact ? age(lastContact) : t("officeNever"), unreadable ? [unreadable.count, unreadable.protocol, age(unreadable.at)].join(" · ") : "",
      ...onlyReads ? [] : [element("span", { class: "row" }, named("officeRotate", () => issue(command("POST", `${path}/rotate`))), named("delete", remove))],
    ];
  }

  async function load() {
    const { items } = await fetchJSON(list, signal);
    table.replaceChildren(...items.length
      ? [tableOf(t("officePage_devices"), [...["id", "since", "last_heard_at", "unreadable"].map(headingOf), ...onlyReads ? [] : [""]], items.map(row))] : []);
    if (!items.length) status.textContent = t(onlyReads ? "officeEmpty" : "officeNoDevices");
    showRequests(requests, list);
  }

  /** Sends a request for a token, and shows the token. */
  const issue = (wanted) => perform(wanted, async (device) => {
    const made = await tokenBox(origin, at.of, device);
    form.reset();
    named.textContent = "";
    if (signal.aborted) return "";
    token.replaceChildren(made);
    made.scrollIntoView({ block: "start" });
    return t("saved", { name: device.id });
  });

  async function perform(wanted, done) {
    for (const button of box.querySelectorAll("button")) button.disabled = true;
    token.replaceChildren();
    try {
      const words = await done(await fetchJSON(wanted));
      await load();
      status.textContent = words;
    } catch (error) { showError(status, error); }
    for (const button of box.querySelectorAll("button")) button.disabled = false;
  }

  await load();
}
