// The deliveries of a webhook: the receiver's responses, a test, and redelivery of events.
import { command, fetchJSON, get } from "./api.js";
import { element, showError, showRequests, time } from "./dom.js";
import { filled } from "./office-kinds.js";
import { secretBox } from "./office-document.js";
import { tableOf } from "./office-table.js";
import { language, t } from "./words.js";

/** The outcome of a message, in words. */
function outcome({ taken, status, error }) {
  const reason = error ?? (status === undefined ? "" : String(status));
  return element("span", { class: taken ? "office-ok" : "fault" }, [t(taken ? "officeTaken" : "officeRefused"), reason].filter(Boolean).join(" · "));
}

/** Shows the deliveries of a webhook. */
export async function showDeliveries(box, { at, signal }) {
  const path = filled("/v1/webhooks/{id}", at.of);
  const list = get(`${path}/deliveries`);
  const status = element("p", { role: "status" });
  const [waiting, secret, table, requests] = [element("p", { class: "quiet" }), element("div"), element("div", { class: "office-scroll" }), element("div")];
  const from = element("input", { name: "from", type: "number", min: 1, required: true });
  const button = (word, act) => element("button", { type: "button", onclick: act }, t(word));
  const test = button("officeTest", () => perform(command("POST", `${path}/test`), (sent) => {
    const { status: code, error, took_ms: took, taken } = sent;
    return t(taken ? "officeTestTaken" : "officeTestRefused", { reason: error ?? code, took: took.toLocaleString(language()) });
  }));
  const again = (event) => perform(
    { ...command("POST", `${path}/redeliver`), parameters: { from: event } }, () => t("officeRedelivered", { event }));
  const rotate = button("officeRotate", () => perform(command("POST", `${path}/rotate`), (made) => {
    secret.replaceChildren(secretBox(made.secret, t("officeSecretUntil", { time: time(made.former_until) })));
    return "";
  }));
  const form = element(
    "form", {}, element("label", { class: "block" }, element("span", {}, t("officeFrom")), from), element("button", { type: "submit" }, t("officeRedeliver")));
  form.addEventListener("submit", (event) => { event.preventDefault(); again(from.value); });
  box.replaceChildren(
    element("p", { class: "row office-tools" }, test, rotate, button("again", () => load().catch((error) => showError(status, error)))),
    form, status, secret, waiting, table, requests);

  async function load() {
    const found = await fetchJSON(list, signal);
    waiting.textContent = found.waiting ? t("officeWaiting", { count: found.waiting.toLocaleString(language()) }) : "";
    const rows = found.items.map((one) => [
      time(one.at), one.type, one.event === undefined ? "" : String(one.event), outcome(one), `${one.took_ms.toLocaleString(language())} ms`,
      one.event === undefined ? "" : element("button", {
        type: "button", "aria-label": `${t("officeRedeliver")}: ${one.event}`, onclick: () => again(one.event) }, t("officeRedeliver")),
    ]);
    const names = ["officeTime", "officeType", "officeEvent", "officeOutcome", "officeTook"].map((key) => t(key));
    table.replaceChildren(rows.length ? tableOf(t("officePage_deliveries"), [...names, ""], rows) : element("p", {}, t("officeNoDeliveries")));
    showRequests(requests, list);
  }

  /** Sends a command once, and shows its result. */
  async function perform(wanted, describe) {
    for (const one of box.querySelectorAll("button")) one.disabled = true;
    status.textContent = t("asking");
    try {
      const words = describe(await fetchJSON(wanted));
      await load();
      status.textContent = words;
    } catch (error) { showError(status, error); }
    for (const one of box.querySelectorAll("button")) one.disabled = false;
    showRequests(requests, wanted, list);
  }

  await load();
}
