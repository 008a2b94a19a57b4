// The state of the service: whether it lives and is ready, how much there is, and what phones send.
import { ask, question } from "./api.js";
import { byId, definitions, element, showRequests } from "./dom.js";
import { language, t } from "./words.js";

const questions = { alive: question("/livez"), ready: question("/readyz"), phones: question("/v1/ingest") };

/** An answer with the milliseconds that it took; what went wrong in its place. */
async function timed(one) {
  const start = performance.now();
  try {
    const answer = await ask(one);
    return { answer, told: `${t("yes")}, ${Math.round(performance.now() - start)} ms` };
  } catch (error) {
    return { told: error.message };
  }
}

async function look() {
  const [alive, ready, phones] = await Promise.all(Object.values(questions).map(timed));
  const { people, places, products } = ready.answer ?? {};
  const count = (number) => number?.toLocaleString(language());
  byId("service-state").replaceChildren(...definitions({
    alive: alive.told, ready: ready.told,
    countPeople: count(people), places: count(places), countProducts: count(products),
  }));
  const heading = (scope, text) => element("th", { scope }, text);
  const head = element("tr", {}, ...["phones", "requests", "unreadable"].map((key) => heading("col", t(key))));
  const rows = Object.entries(phones.answer ?? {}).map(([name, { requests, unreadable }]) =>
    element("tr", {}, heading("row", name), element("td", {}, requests), element("td", {}, unreadable)));
  byId("service-phones").replaceChildren(...(rows.length ? [head, ...rows] : []));
  showRequests(byId("service-request"), ...Object.values(questions));
}

export const service = {
  start() { byId("service-again").addEventListener("click", look); },
  refresh() { return byId("service").hidden ? undefined : look(); },
  open: look,
};
