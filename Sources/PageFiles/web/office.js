// The back office: tables and forms, phones, imports, webhooks and the installation, for services.
import { latestOnly } from "./api.js";
import { byId, element, showError, stateChanged } from "./dom.js";
import { showEdges } from "./edges.js";
import { showDeliveries } from "./office-deliveries.js";
import { showDevices } from "./office-devices.js";
import { hasChanges, mayLeave } from "./office-document.js";
import { showImport } from "./office-import.js";
import { showInstallation } from "./office-installation.js";
import { showTable } from "./office-table.js";
import { rights } from "./rights.js";
import { t } from "./words.js";

/** The pages of the view. */
const pages = ["people", "places", "products", "fences", "webhooks", "import", "installation"];
/** The pages that readers may not use, including their parts. */
const written = ["webhooks", "import"];
/** The pages of parts of a document, with the page of the whole. */
const wholes = { devices: "people", ownFences: "people", stock: "places", deliveries: "webhooks" };
const shows = { devices: showDevices, deliveries: showDeliveries, import: showImport, installation: showInstallation };

const showing = latestOnly();
/** The open page, the document of which it shows a part, the search text, and the open document. */
let at = { page: "people" };
/** Whether the token is a reader's, so that no changes are offered. */
let onlyReads = false;

/** Refuses a person's token, and leads a reader away from pages that are not for readers. */
async function admit(signal) {
  const may = await rights(signal);
  if (!may.isService) throw new Error(t("officeServicesOnly"));
  const isOffered = () => offered().includes(wholes[at.page] ?? at.page);
  if (onlyReads === may.onlyReads && isOffered()) return;
  onlyReads = may.onlyReads;
  if (!isOffered()) at = { page: "people" };
  drawPages();
}

const offered = () => onlyReads ? pages.filter((page) => !written.includes(page)) : pages;

function go(next) {
  if (!mayLeave(byId("office-page"))) return undefined;
  at = next;
  stateChanged(true);
  return show();
}

/** Draws the list of pages, and the path back from a part to its whole. */
function drawPages() {
  const whole = wholes[at.page];
  const tab = (page) => element("button", {
    type: "button", "aria-current": page === at.page ? "page" : page === whole && "true", onclick: () => go({ page }),
  }, t(`officePage_${page}`));
  const path = whole ? [element("p", { class: "office-path" },
    element("button", { type: "button", onclick: () => go({ page: whole, id: at.of }) }, at.of),
    ` › ${t(`officePage_${at.page}`)}`)] : [];
  byId("office-pages").replaceChildren(...offered().map(tab), ...path);
  byId("office-pages").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  showEdges(byId("office-pages"));
}

async function show() {
  drawPages();
  const box = byId("office-page");
  box.replaceChildren();
  try {
    await showing(async (signal) => {
      await admit(signal);
      await (shows[at.page] ?? showTable)(box, { at, go, signal, onlyReads });
    });
  } catch (error) {
    if (error.name === "AbortError") return;
    const line = element("p", { role: "alert" });
    box.replaceChildren(line);
    showError(line, error);
  }
}

export const office = {
  start() {},
  open: (isRestored) => isRestored || hasChanges(byId("office-page")) ? undefined : show(),
  /** Removes everything, above all tokens, except a form with unsaved changes. */
  close() {
    for (const secret of byId("office-page").querySelectorAll(".office-secret")) secret.remove();
    if (hasChanges(byId("office-page"))) return;
    showing(() => Promise.resolve());
    byId("office-page").replaceChildren();
  },
  state: () => ({ page: at.page, of: at.of, q: at.q, id: at.id, new: at.isNew && "yes" }),
  restore({ page, of, q, id, new: isNew }) {
    if (!mayLeave(byId("office-page"))) return undefined;
    const isKnown = pages.includes(page) || Object.hasOwn(wholes, page ?? "") && of;
    at = isKnown ? { page, of, q, id, isNew: isNew === "yes" } : { page: "people" };
    return show();
  },
  /** Shows the page again, unless unsaved changes, a chosen file or a token would be lost. */
  recover() {
    const box = byId("office-page");
    const isKept = hasChanges(box) || box.querySelector(".office-secret") || (at.page === "import" && !box.querySelector(":scope > [data-lost]"));
    return byId("office").hidden || isKept ? undefined : show();
  },
  refresh() { return byId("office").hidden || !mayLeave(byId("office-page")) ? undefined : show(); },
};
