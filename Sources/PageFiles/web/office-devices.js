// The phones of a person: when each was last heard, and the token of a new one with a code to scan.
import { ask, command, question } from "./api.js";
import { age, copyable, element, showFault, showRequests, time } from "./dom.js";
import { confirmed } from "./office-document.js";
import { canDraw, codeOf, whyNone } from "./office-code.js";
import { filled, headingOf } from "./office-kinds.js";
import { tableOf } from "./office-table.js";
import { t } from "./words.js";

const all = "/v1/people/{id}/devices";

/** The text of a code that sets up an app: the address of this service, the person and the token. */
const setups = {
  OwnTracks(person, { id, token }) {
    const settings = {
      _type: "configuration", mode: 3, url: `${location.origin}/ingest/owntracks`, auth: true, username: person,
      password: token, deviceId: id, tid: id.slice(0, 2),
    };
    return `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(settings)))}`;
  },
  Overland: (_, { id, token }) =>
    `overland://setup?${new URLSearchParams({ url: `${location.origin}/ingest/overland`, token, device_id: id })}`,
};

/** A token that is shown once, with the codes of both apps, one at a time so that a camera sees one. */
async function tokenBox(person, device) {
  const code = element("div", { class: "office-code" });
  const reason = whyNone(location) ?? (await canDraw() ? undefined : "officeCodeMissing");
  const choose = (app, button) => {
    for (const other of buttons) other.setAttribute("aria-pressed", other === button);
    code.replaceChildren(codeOf(setups[app](person, device), t("officeCodeOf", { app })));
  };
  const buttons = Object.keys(setups).map((app) => {
    const button = element("button", { type: "button", "aria-pressed": "false", onclick: () => choose(app, button) }, app);
    return button;
  });
  const codes = reason ? [element("p", {}, t(reason))]
    : [element("p", {}, t("officeScan")), element("p", { class: "row" }, ...buttons), code];
  return element(
    "section", { class: "office-secret", "aria-label": device.id },
    element("p", {}, t("officeToken", { name: device.id })), ...copyable(device.token), ...codes);
}

/** Shows the devices of a person. */
export async function showDevices(box, { at, signal, onlyReads }) {
  const list = question(filled(all, at.of));
  const status = element("p", { role: "status" });
  const [table, token, requests] = [element("div", { class: "office-scroll" }), element("div"), element("div")];
  const name = element("input", { name: "device", required: true, autocomplete: "off", spellcheck: "false", placeholder: "phone" });
  const form = element(
    "form", {}, element("label", { class: "block" }, element("span", {}, t("officeDevice")), name),
    element("button", { type: "submit" }, t("officeAdd")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    issue(command("POST", list.path, { id: name.value.trim() }));
  });
  const adding = onlyReads ? [] : [element("p", { class: "quiet" }, t("officeDevicesHelp")), form];
  box.replaceChildren(...adding, status, token, table, requests);

  function row({ id, since, last_heard_at: heard, unreadable }) {
    const path = `${list.path}/${encodeURIComponent(id)}`;
    const named = (word, act) => element("button", { type: "button", "aria-label": `${t(word)}: ${id}`, onclick: act }, t(word));
    const remove = async () => {
      if (await confirmed(id)) await perform(command("DELETE", path), () => t("deleted", { name: id }));
    };
    return [
      id, time(since), heard ? age(heard) : t("officeNever"), unreadable ? [unreadable.count, unreadable.protocol, age(unreadable.at)].join(" · ") : "",
      ...onlyReads ? [] : [element("span", { class: "row" }, named("officeRotate", () => issue(command("POST", `${path}/rotate`))), named("delete", remove))],
    ];
  }

  async function load() {
    const { items } = await ask(list, signal);
    table.replaceChildren(...items.length
      ? [tableOf([...["id", "since", "last_heard_at", "unreadable"].map(headingOf), ...onlyReads ? [] : [""]], items.map(row))] : []);
    if (!items.length) status.textContent = t(onlyReads ? "officeEmpty" : "officeNoDevices");
    showRequests(requests, list);
  }

  /** Sends a request that returns a token, and shows it. */
  const issue = (wanted) => perform(wanted, async (device) => {
    const made = await tokenBox(at.of, device);
    if (!signal.aborted) token.replaceChildren(made);
    form.reset();
    return t("saved", { name: device.id });
  });

  async function perform(wanted, done) {
    for (const button of box.querySelectorAll("button")) button.disabled = true;
    token.replaceChildren();
    try {
      const told = await done(await ask(wanted));
      await load();
      status.textContent = told;
    } catch (error) { showFault(status, error); }
    for (const button of box.querySelectorAll("button")) button.disabled = false;
  }

  await load();
}
