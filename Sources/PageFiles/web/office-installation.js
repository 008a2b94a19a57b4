// The installation: version, sizes, the newest backup, and the doctor's findings.
import { fetchJSON, get } from "./api.js";
import { age, definitions, element, showError, showRequests, time } from "./dom.js";
import { subjectName } from "./office-about.js";
import { tableOf } from "./office-table.js";
import { language, t } from "./words.js";

const all = get("/v1/service");

/** A size in bytes, in a readable unit. */
function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return new Intl.NumberFormat(language(), {
    style: "unit", unit: units[power], unitDisplay: "short", maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power);
}

const number = (count) => count?.toLocaleString(language());

/** Shows the installation. */
export async function showInstallation(box, { signal }) {
  const [facts, findings, requests] = [element("dl"), element("div", { class: "office-narrow" }), element("div")];
  const status = element("p", { role: "status" });
  async function load() {
    try {
      const { version, schema, started_at: started, database_bytes: bytes, backup, counts, findings: found, examined_at: examined } = await fetchJSON(all, signal);
      facts.replaceChildren(...definitions({
        officeVersion: version, officeSchema: String(schema), officeStarted: `${time(started)} (${age(started)})`, officeDatabase: size(bytes),
        officeBackup: backup ? `${time(backup.at)} (${age(backup.at)}), ${size(backup.bytes)}` : t("officeNoBackup"),
        countPeople: number(counts.people), places: number(counts.places), countProducts: number(counts.products),
      }));
      findings.replaceChildren(...found?.length ? [
        element("h2", {}, t("officeDoctor")), tableOf(t("officeDoctor"), [t("officeSubject"), t("officeState")], found.map(({ subject, state }) => [
          subjectName(subject), element("span", { class: state === "ok" ? "office-ok" : "fault" }, t(`officeState_${state}`))])),
        element("p", { class: "quiet" }, t("officeDoctorHelp", { time: time(examined) }))] : []);
      status.textContent = "";
    } catch (error) { showError(status, error); }
    showRequests(requests, all);
  }
  box.replaceChildren(status, facts, findings, element("button", { type: "button", onclick: load }, t("again")), requests);
  await load();
}
