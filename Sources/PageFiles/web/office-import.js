// Import of a dropped file: a dry run with its report, then the same bytes once more.
import { address, get, token } from "./api.js";
import { element, plain, showError } from "./dom.js";
import { advisesCorrection, detailName, noteName } from "./office-about.js";
import { pathName } from "./office-kinds.js";
import { isWorkbook, kindOfColumns, rowNames } from "./office-rows.js";
import { tableOf } from "./office-table.js";
import { has, language, t } from "./words.js";

/** The kinds, in the order of their dependencies, with patterns of file names without accents. */
const kinds = {
  people: /peop|person|user|usuari/, friends: /friend|amist|amig/, places: /plac|stor|shop|tiend|lugar|\.geojson|\.json/,
  products: /produ|catal|articul/, stock: /stock|invent|existenc/, pings: /ping|posi|track/,
};
const normalised = ["places", "products", "stock"];
const types = {
  csv: "text/csv", tsv: "text/tab-separated-values", ndjson: "application/x-ndjson", jsonl: "application/x-ndjson",
  geojson: "application/geo+json", json: "application/json",
};

/** The kind guessed from a file name; the last match wins, so that `store-stock.csv` is stock. */
const guessed = (name) => Object.keys(kinds).filter((kind) => kinds[kind].test(plain(name))).at(-1);

/** The media type and compression by file name extension; text/csv by default. */
function formatOf(name) {
  const words = name.toLowerCase().split(".");
  const isZipped = words.at(-1) === "gz";
  return { type: types[words.at(isZipped ? -2 : -1)] ?? types.csv, isZipped };
}

/** Sends a file with progress from 0 to 1, and returns the report. */
function upload(path, bytes, { type, isZipped }, progress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Content-Type", type);
    if (isZipped) request.setRequestHeader("Content-Encoding", "gzip");
    if (token()) request.setRequestHeader("Authorization", `Bearer ${token()}`);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onload = () => {
      const { status, response } = request;
      if (status === 200) return resolve(response);
      return reject(Object.assign(new Error(response?.detail ? noteName(response.detail) : `${status} ${request.statusText}`), { status }));
    };
    request.onerror = () => reject(new Error(t("unreachable")));
    request.onabort = () => reject(new DOMException("", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(bytes);
  });
}

const count = (number) => number.toLocaleString(language());

/** The label of a row: its line, which in CSV is the row's number, and its id or name. */
function rowName({ row, line }, { isCSV, nameOf }) {
  const place = line || isCSV ? t("officeLine", { line: count(line ?? row) }) : count(row);
  let name = "";
  try { name = nameOf(row, line); } catch { /* A line that is not JSON has no name. */ }
  return [place, name].filter(Boolean).join(": ");
}

/** The field that a pointer names, if any. */
const fieldName = (pointer) => pointer.startsWith("/") ? pathName(pointer.split("/").slice(1)) : pointer;

const faultName = (code) => has(`officeFault_${code}`) ? t(`officeFault_${code}`) : code;

/** Rows of a report, with one line of the table for each remark. */
const lines = (rows = [], member, names) => rows.flatMap((one) => one[member].map(({ pointer, code, detail }) =>
  [rowName(one, names), fieldName(pointer), faultName(code), detailName(detail)]));

const columns = () => ["officeRow", "officeMember", "officeCode", "officeDetail"].map((key) => t(key));

function part(title, rows, isOpen, all) {
  if (!rows.length) return "";
  const heading = all > rows.length ? `${title}: ${count(all)} (${t("officeFirst", { count: count(rows.length) })})` : `${title}: ${count(all)}`;
  return element(
    "details", { open: isOpen }, element("summary", {}, heading),
    element("div", { class: "office-scroll", tabindex: 0, role: "region", "aria-label": title }, tableOf(title, columns(), rows)));
}

/** The maximum number of rows shown of a report, because ten thousand would freeze the page. */
const most = 200;

/** The parts of a report, with a button after its notes; a dry run creates and updates nothing. */
function reportOf(report, isDry, names, button) {
  const counts = ["rows", ...isDry ? [] : ["created", "updated"], "refused_count", "normalised_count", "doubted_count", "hours_not_understood_count"]
    .filter((name) => report[name] !== undefined).flatMap((name) => [element("dt", {}, t(`officeReport_${name}`)), element("dd", {}, count(report[name]))]);
  const verdicts = Object.entries(report.verdicts ?? {}).flatMap(([word, number]) => [element("dt", {}, word), element("dd", {}, count(number))]);
  const parts = [["refused", "errors"], ["hours_not_understood", "remarks"], ["doubted", "remarks"], ["normalised", "remarks"]].map(([name, member]) =>
    part(t(`officeReport_${name}_count`), lines(report[name]?.slice(0, most), member, names).slice(0, most), name === "refused", report[`${name}_count`] ?? 0));
  const notes = (report.notes ?? []).map((one) => element("li", {}, noteName(one)));
  return [element("dl", {}, ...counts, ...verdicts), notes.length ? element("ul", {}, ...notes) : "", button, ...parts];
}

/** Whether this is a touch screen, where files are chosen instead of dropped. */
const isTouched = matchMedia("(pointer: coarse), (max-width: 45rem)").matches;

/** Shows the page that imports files. */
export async function showImport(box, { signal }) {
  /** The file's name, its bytes (read once, so that the import sends what the dry run checked) and its format. */
  let file;
  let sending = new AbortController();
  const chosen = element("input", { type: "file", id: "office-file", accept: ".csv,.tsv,.ndjson,.jsonl,.geojson,.json,.gz" });
  const invitation = element("span", {}, t(isTouched ? "officeChoose" : "officeDrop"));
  const drop = element("label", { class: "office-drop" }, invitation, chosen);
  const choices = Object.keys(kinds).map((one) => element("option", { value: one }, t(`officeKind_${one}`)));
  const kind = element("select", { name: "kind" }, element("option", { value: "" }, t("officeKindChoose")), ...choices);
  /** Whether the kind was chosen before its file. */
  let isChosen = false;
  /** The file that was given last. */
  let newest;
  const isMessy = element("input", { type: "checkbox", name: "normalise" });
  const currency = element("input", { name: "currency", maxlength: 3, size: 4, placeholder: "EUR", autocomplete: "off" });
  const bar = element("progress", { max: 1, "aria-label": t("officeProgress"), hidden: true });
  const status = element("p", { role: "status", tabindex: -1 });
  const report = element("div");
  const send = element("button", { type: "button", class: "office-primary", disabled: true, onclick: () => perform(false) }, t("officeImport"));
  const messy = element("label", {}, isMessy, ` ${t("officeNormalise")}`);
  const money = element("label", {}, element("span", {}, `${t("currency")} `), currency);
  const form = element("p", { class: "row" }, element("label", {}, element("span", {}, `${t("officeKind")} `), kind), messy, money, send);
  box.replaceChildren(element("p", { class: "quiet" }, t("officeImportHelp")), drop, form, bar, status, report);

  async function take(given) {
    if (!given) return undefined;
    sending.abort();
    bar.hidden = true;
    [file, newest] = [undefined, given];
    send.disabled = true;
    report.replaceChildren();
    status.textContent = "";
    const { name } = given;
    let [read, found, fault] = [];
    try {
      read = { name, bytes: new Blob([await given.arrayBuffer()]), format: formatOf(name) };
      if (await isWorkbook(read.bytes)) fault = "officeWorkbook";
      else if (!read.bytes.size) fault = "officeNoRows";
      else found = guessed(name) ?? await kindOfColumns(read);
    } catch (error) { return showError(status, error); }
    // Another file may have been dropped while this one was read.
    if (newest !== given) return undefined;
    if (fault) {
      status.textContent = t(fault, { name });
      return undefined;
    }
    file = read;
    kind.value = found ?? (isChosen ? kind.value : "");
    isChosen = false;
    return perform(true);
  }

  function showOptions() {
    messy.hidden = !normalised.includes(kind.value);
    money.hidden = messy.hidden || !isMessy.checked || kind.value === "places";
  }

  /** Checks the file, or imports the checked bytes; another import needs another check. */
  async function perform(isDry) {
    showOptions();
    if (!file || signal.aborted) return;
    sending.abort();
    bar.hidden = true;
    report.replaceChildren();
    if (!kind.value) {
      send.disabled = true;
      status.textContent = t("officeKindUnknown", { name: file.name });
      return;
    }
    sending = new AbortController();
    const { signal: own } = sending;
    send.disabled = true;
    const isRead = !messy.hidden && isMessy.checked;
    const wanted = get(`/v1/imports/${kind.value}`, {
      dry_run: isDry ? "true" : "", normalise: isRead ? "true" : "", currency: isRead && !money.hidden ? currency.value.trim().toUpperCase() : "",
    });
    bar.hidden = false;
    bar.value = 0;
    status.textContent = t(isDry ? "officeChecking" : "officeImporting", { name: file.name });
    for (const control of [chosen, kind, isMessy, currency]) control.disabled = !isDry;
    try {
      const found = await upload(address(wanted), file.bytes, file.format, (done) => { bar.value = done; }, own);
      const names = { isCSV: /csv|tab/.test(file.format.type), nameOf: await rowNames(file) };
      if (own.aborted) return;
      const isAdvised = !messy.hidden && !isMessy.checked && advisesCorrection(found);
      const advised = isAdvised ? element("p", {}, element("button", { type: "button", onclick: correct }, t("officeCorrect"))) : "";
      report.replaceChildren(...reportOf(found, isDry, names, advised));
      const values = { name: file.name, count: count(found.rows - found.refused_count), refused: count(found.refused_count) };
      status.textContent = t(!found.rows ? "officeNoRows" : isDry ? "officeChecked" : "officeImported", values);
      send.disabled = !isDry || found.rows === found.refused_count;
    } catch (error) {
      if (own.aborted) return;
      showError(status, error);
    }
    bar.hidden = true;
    for (const control of [chosen, kind, isMessy, currency]) control.disabled = false;
    if (isDry) return;
    [file, chosen.value] = [undefined, ""];
    // The pressed button is disabled, and would lose the focus to nothing.
    status.focus();
  }

  /** Ticks the box that corrects messy catalogs, and checks again. */
  function correct() {
    isMessy.checked = true;
    isMessy.focus();
    return perform(true);
  }

  signal.addEventListener("abort", () => sending.abort());
  chosen.addEventListener("change", () => take(chosen.files[0]));
  kind.addEventListener("change", () => { isChosen = !file; });
  for (const control of [kind, isMessy, currency]) control.addEventListener("change", () => perform(true));
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (!chosen.disabled) take(event.dataTransfer.files[0]);
  });
  showOptions();
}
