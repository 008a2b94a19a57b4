// A document of the back office: its form, saved unless another client has changed it, and its deletion.
import { command, fetchJSON, get, send } from "./api.js";
import { copyable, element, showError, showRequests } from "./dom.js";
import { detailName, remarksOn } from "./office-about.js";
import { fieldBlock, formOf, idBlock, patch } from "./office-form.js";
import { filled, headingOf, keyOf, kinds, labelOf, pathName, shown } from "./office-kinds.js";
import { t } from "./words.js";

/** Asks the user to type a name before its document is deleted; returns whether they did. */
export function confirmed(name) {
  const typed = element("input", { autocomplete: "off", spellcheck: "false", required: true });
  const remove = element("button", { type: "submit", disabled: true }, t("delete"));
  const cancel = element("button", { type: "button", onclick: () => dialog.close() }, t("officeCancel"));
  typed.addEventListener("input", () => { remove.disabled = typed.value !== name; });
  const form = element(
    "form", {}, element("label", { class: "block" }, element("span", {}, t("officeTypeName", { name })), typed),
    element("p", { class: "row" }, remove, cancel));
  const dialog = element("dialog", { class: "office-dialog", "aria-label": t("officeDeleteOf", { name }) }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    form.addEventListener("submit", (event) => { event.preventDefault(); dialog.close("yes"); });
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "yes"); });
  });
}

/** Whether a box has a form with unsaved changes. */
export const hasChanges = (box) => box.querySelector("form[data-changed]") !== null;

/** Whether a box may be replaced: unsaved changes are discarded only if the user confirms. */
export const mayLeave = (box) => !hasChanges(box) || confirm(t("officeDiscard"));

/** The heading of a document, with links to its parts. */
function heading({ at, go }, kind, found, close) {
  const parts = at.id === undefined ? [] : (kind.parts ?? []).filter((part) => part !== "stock" || found.kind === "store");
  const links = parts.map((part) => element(
    "button", { type: "button", onclick: () => go({ page: part, of: at.id }) }, t(`officePage_${part}`)));
  const name = [found.name, found.surname].filter(Boolean).join(" ");
  const title = at.id === undefined ? [t("officeNew")] : name ? [name, " ", element("small", {}, at.id)] : [at.id];
  return [
    element("header", {}, element("h2", { tabindex: -1 }, ...title),
      element("button", { type: "button", "aria-label": t("officeClose"), onclick: close }, "×")),
    links.length ? element("p", { class: "row" }, ...links) : "",
  ];
}

/** Shows a document's members without a form, for readers. */
async function showMembers(box, { at, go, signal }, close) {
  const kind = kinds[at.page];
  const wanted = get(filled(kind.item, ...ids(at)));
  const found = await fetchJSON(wanted, signal);
  const members = Object.keys(found).flatMap((name) => [element("dt", {}, headingOf(name)), element("dd", {}, shown(found, name))]);
  const requests = element("div");
  showRequests(requests, wanted);
  box.replaceChildren(...heading({ at, go }, kind, found, close), element("dl", {}, ...members), requests);
}

/**
 * Shows a document, or the form of a new one, in a box.
 *
 * `changed` is called with the id of a written document, or without one after a deletion; `known` returns whether the
 * list already has an id.
 */
export async function showDocument(box, { at, go, signal, onlyReads }, { changed, close, known }) {
  if (onlyReads) return showMembers(box, { at, go, signal }, close);
  const kind = kinds[at.page];
  const isNew = at.id === undefined;
  const shape = { left: ["id", ...kind.fixed ?? []], first: kind.columns.flatMap((name) => name === "price" ? [name, "currency"] : name) };
  const [found, put, merge] = await Promise.all([
    isNew ? { body: {} } : send(get(filled(kind.item, ...ids(at))), signal),
    formOf(kind.item, "put", shape), formOf(kind.item, "patch", shape),
  ]);
  const before = found.body;
  const fields = put.fields.map((field) => fieldBlock(field, before));
  const own = idBlock(labelOf(keyOf(kind)), at.id);
  const [status, requests] = [element("span", { role: "status" }), element("div")];
  const buttons = [element("button", { type: "submit" }, t("save"))];
  if (!isNew) buttons.push(element("button", { type: "button", onclick: remove }, t("delete")));
  const form = element(
    "form", { class: "grid office-form" },
    own.block, ...fields.map(({ block }) => block),
    element("p", { class: "row" }, ...buttons, status));
  form.addEventListener("submit", (event) => { event.preventDefault(); save(); });
  form.addEventListener("input", ({ target }) => {
    target.setCustomValidity("");
    form.dataset.changed = "true";
  });
  box.replaceChildren(...heading({ at, go }, kind, before, close), form, requests);

  /** The request that writes the form's values; undefined if a field is invalid. */
  function written() {
    const values = Object.fromEntries(fields.map((field) => [field.name, field.read()]));
    const id = own.read();
    if (!form.reportValidity()) return undefined;
    const condition = !put.isConditional ? {} : isNew ? { "If-None-Match": "*" } : found.tag ? { "If-Match": found.tag } : {};
    const path = filled(kind.item, ...ids({ ...at, id }));
    const after = { ...Object.fromEntries(put.members.map((member) => [member, before[member]])), ...values };
    // A merge patch can also remove members that a `PUT` keeps if it does not mention them.
    if (merge && !isNew) return command("PATCH", path, patch(before, { ...before, ...values }), condition);
    return command("PUT", path, after, condition);
  }

  async function save() {
    const wanted = written();
    if (!wanted) return;
    const id = own.read();
    if (isNew && !put.isConditional && known(id)) status.textContent = t("officeExists", { name: id });
    else await perform(wanted, ({ body }) => {
      const doubts = remarksOn("hours", body).filter(({ isBad }) => isBad).map(({ text }) => `${labelOf("hours")}: ${text}`);
      return changed(id, [t("saved", { name: id }), ...doubts].join(" "), body.secret);
    });
  }

  async function remove() {
    if (!await confirmed(at.id)) return;
    const condition = put.isConditional && found.tag ? { "If-Match": found.tag } : {};
    await perform(command("DELETE", filled(kind.item, ...ids(at)), undefined, condition), () => changed(undefined, t("deleted", { name: at.id })));
  }

  /** Shows errors beside their fields, and names these. */
  function showFaults(errors) {
    const marked = errors.map(({ pointer, detail }) => {
      const path = pointer.split("/").slice(1);
      const field = [own, ...fields].find(({ name }) => name === path[0]);
      const text = [...path.slice(1), detailName(detail)].join(": ");
      field?.fault(text);
      return { field, name: field ? labelOf(path[0]) : path.length ? `${pathName(path)}: ${detailName(detail)}` : text };
    });
    if (!marked.length) return;
    status.textContent = t("officeCheckFields", { fields: [...new Set(marked.map(({ name }) => name))].join("; ") });
    marked.find(({ field }) => field)?.field.control.scrollIntoView({ block: "nearest" });
  }

  /** Sends a command once, and shows errors beside their fields. */
  async function perform(wanted, done) {
    for (const button of buttons) button.disabled = true;
    for (const field of [own, ...fields]) field.fault();
    try { await done(await send(wanted)); } catch (error) {
      showError(status, error);
      if (error.status === 412) status.textContent = t(isNew ? "officeExists" : "officeChanged", { name: own.read() });
      showFaults(error.errors ?? []);
      showRequests(requests, wanted);
    } finally { for (const button of buttons) button.disabled = false; }
  }
}

const ids = ({ of, id }) => of === undefined ? [id] : [of, id];

/** A secret, shown once, with a button that copies it. */
export const secretBox = (text, words) => element("div", { class: "office-secret" }, element("p", {}, words), ...copyable(text));
