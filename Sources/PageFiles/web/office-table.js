// A table of the back office: documents of a kind, with search and pages, and the open document beside it.
import { command, fetchJSON, get, latestOnly } from "./api.js";
import { element, showError, showRequests, stateChanged } from "./dom.js";
import { filled, headingOf, keyOf, kinds, shown } from "./office-kinds.js";
import { mayLeave, secretBox, showDocument } from "./office-document.js";
import { t } from "./words.js";

/**
 * A table with a name, whose first column heads its rows; cells are texts or elements.
 *
 * On a phone its rows are cards, each value after its column's name; the roles of a table remain.
 */
export const tableOf = (label, names, rows) => element(
  "table", { class: "office-table", role: "table", "aria-label": label },
  element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...names.map((name) =>
    element("th", { scope: "col", role: "columnheader" }, name)))),
  element("tbody", { role: "rowgroup" }, ...rows.map(([first, ...others]) => element(
    "tr", { role: "row" }, element("th", { scope: "row", role: "rowheader" }, first),
    ...others.map((cell, index) => element("td", { role: "cell", "data-column": names[index + 1] || false }, cell))))));

/** The pause in typing before a search, in milliseconds, and the maximum number of queries in a request. */
const [pause, batch] = [150, 1000];

/** Adds the names of products to items of a stock, which have only their ids. */
async function nameProducts(items, signal) {
  for (let from = 0; from < items.length; from += batch) {
    const part = items.slice(from, from + batch);
    const wanted = command("POST", "/v1/query", { queries: part.map(({ product }) => ({ product })) });
    const { answers } = await fetchJSON(wanted, signal).catch(() => ({ answers: [] }));
    part.forEach((item, index) => { item.name = answers[index]?.name; });
  }
}

/** Shows the table of a kind. */
export async function showTable(box, { at, go, signal, onlyReads }) {
  const kind = kinds[at.page];
  const key = keyOf(kind);
  const [latest, opening] = [latestOnly(), latestOnly()];
  let rows = [];
  const status = element("p", { role: "status", tabindex: -1 });
  const table = element("div", { class: "office-scroll" });
  const more = element("button", { type: "button", hidden: true }, t("more"));
  const search = Object.assign(element("input", { type: "search", name: "q", autocomplete: "off", spellcheck: "false" }), { value: at.q ?? "" });
  const hint = t(kind.search === "person" ? "officePersonId" : "officeSearch");
  const label = element("label", {}, element("span", {}, hint), search);
  const add = element("button", { type: "button", hidden: onlyReads, onclick: () => choose() }, t("officeNew"));
  const [beside, requests] = [element("aside", { class: "office-document", hidden: true }), element("div")];
  const list = element("div", {}, element("p", { class: "row office-tools" }, label, add), status, table, more, requests);
  box.replaceChildren(element("div", { class: "office-split" }, list, beside));

  let timer;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { at.q = search.value.trim(); stateChanged(); kind.search ? load() : draw(); }, pause);
  });
  signal.addEventListener("abort", () => { clearTimeout(timer); latest(stop); opening(stop); });

  /** The document with the searched id, if any, because lists are searched by words only. */
  async function named(signal) {
    if (!kind.batched || !/^[!-~]{1,128}$/.test(at.q ?? "")) return [];
    const { answers: [found] } = await fetchJSON(command("POST", "/v1/query", { queries: [{ [kind.batched]: at.q }] }), signal);
    return found.id === at.q ? [found] : [];
  }

  async function load(cursor) {
    const wanted = get(filled(kind.list, at.of), kind.limit ? { limit: kind.limit, cursor, [kind.search ?? "q"]: kind.search && at.q } : {});
    if (!rows.length) status.textContent = t("asking");
    try {
      const [page, exact] = await latest(async (signal) => {
        const [page, exact] = await Promise.all([fetchJSON(wanted, signal), cursor ? [] : named(signal)]);
        if (key === "product") await nameProducts(page.items, signal);
        return [page, exact];
      });
      const found = page.items.filter((row) => !exact.some((one) => one[key] === row[key]));
      rows = [...cursor ? rows : exact, ...found];
      more.hidden = !page.cursor;
      more.onclick = () => load(page.cursor);
      draw();
    } catch (error) {
      if (error.name === "AbortError") return;
      rows = [];
      table.replaceChildren();
      more.hidden = true;
      showError(status, error);
    }
    showRequests(requests, wanted);
  }

  function draw() {
    const words = kind.search ? "" : (at.q ?? "").toLowerCase();
    const seen = rows.filter((row) => ["name", ...kind.columns].some((name) => shown(row, name).toLowerCase().includes(words)));
    const opener = (row) => element("button", {
      type: "button", class: "office-open", "data-id": row[key], "aria-current": String(row[key] === at.id),
      onclick: () => choose(row[key]),
    }, ...row.name ? [element("span", {}, row.name), " ", element("small", {}, row[key])] : [row[key]]);
    // A search returns fewer members than the list, so columns without values are left out.
    const columns = kind.columns.slice(1).filter((name) => name !== "name" && seen.some((row) => row[name] !== undefined));
    const first = key === "id" && seen.some(({ name }) => name) ? "name" : key;
    table.replaceChildren(...seen.length ? [tableOf(t(`officePage_${at.page}`), [first, ...columns].map(headingOf), seen.map((row) => [
      opener(row), ...columns.map((name) => shown(row, name))]))] : []);
    status.textContent = seen.length ? t(more.hidden ? "officeAll" : "officeSome", { count: seen.length }) : t(at.q ? "nothing" : onlyReads ? "officeEmpty" : "officeNone");
  }

  const mark = () => {
    for (const button of table.querySelectorAll("[data-id]")) button.setAttribute("aria-current", button.dataset.id === at.id);
  };

  function close() {
    const button = [...table.querySelectorAll("[data-id]")].find(({ dataset }) => dataset.id === at.id);
    opening(stop);
    Object.assign(at, { id: undefined, isNew: undefined });
    beside.hidden = true;
    beside.replaceChildren();
    mark();
    stateChanged();
    (button ?? add).focus();
  }

  const choose = (id) => mayLeave(beside) && open(id, true);

  /** Opens a document beside the table, or a form for a new one. */
  async function open(id, isChosen) {
    Object.assign(at, { id, isNew: id === undefined });
    if (isChosen) stateChanged(true);
    mark();
    beside.hidden = false;
    try {
      await opening((signal) => showDocument(beside, { at: { ...at }, go, signal, onlyReads }, {
        changed, close: () => mayLeave(beside) && close(), known: (wanted) => rows.some((row) => row[key] === wanted),
      }));
      if (isChosen) beside.querySelector("h2").focus();
    } catch (error) {
      if (error.name === "AbortError") return;
      beside.replaceChildren(element("p", { role: "alert" }, error.message));
    }
  }

  /** Shows the list after a document was written or deleted, and a new secret once. */
  async function changed(id, words, secret) {
    if (id === undefined) close();
    else await open(id, true);
    if (secret) beside.prepend(secretBox(secret, t("officeSecret")));
    await load();
    status.textContent = words;
    // The button to which the focus went is gone.
    if (id === undefined) status.focus();
  }

  await Promise.all([load(), at.id !== undefined || at.isNew && !onlyReads ? open(at.id) : undefined]);
}

const stop = () => Promise.resolve();
