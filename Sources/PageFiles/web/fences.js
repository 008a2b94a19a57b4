// Fences of services or of a person: drawn by clicks on the map, changed and deleted.
import { command, escaped, fetchJSON, get, latestOnly, send } from "./api.js";
import { fenceLayer } from "./areas.js";
import { openCard } from "./card.js";
import { byId, element, idOf, showError, showRequests, stateChanged } from "./dom.js";
import { aboutFence, cardOf, keptPeople } from "./fence-card.js";
import { dot, layer, map } from "./map.js";
import { rights } from "./rights.js";
import { reveal } from "./sheet.js";
import { idsOf, suggestPeople } from "./suggest.js";
import { t } from "./words.js";

const latest = latestOnly();
const form = () => byId("fence-form");
const field = (name) => form().elements[name];
let drawn;
let sketch;
let corners;
let fences = [];
/** The clicked points. */
let points = [];
/** Whether the token is a reader's, so that nothing can be drawn. */
let onlyReads = false;
/** The fence being changed, with its `ETag`; undefined for a new one. */
let changed;
/** Whether the form has been prepared; what is typed or drawn there stays until it is saved or cleared. */
let hasBegun = false;
let isSending = false;

/** The person whose fences are shown; empty for services' fences. */
const owner = () => byId("fences-person").value.trim();

const all = () => owner() ? `/v1/people/${escaped(owner())}/fences` : "/v1/fences";
const path = (id) => `${all()}/${escaped(id)}`;

/** Reads all fences of the chosen owner, page by page. */
export async function readFences(signal) {
  const found = [];
  let cursor;
  do {
    const page = await fetchJSON(get(all(), { limit: 100, cursor }), signal);
    found.push(...page.items);
    cursor = page.cursor;
  } while (cursor);
  return found;
}

async function list(status) {
  let isRefused = false;
  try {
    [fences, { onlyReads }] = await latest((signal) => Promise.all([readFences(signal), rights(signal)]));
    byId("fences-status").textContent = status ?? t("fencesOf", { count: fences.length });
  } catch (error) {
    if (error.name === "AbortError") return;
    fences = [];
    isRefused = true;
    const isOfPerson = error.status === 403 && all() === "/v1/fences";
    if (isOfPerson) byId("fences-status").textContent = t("fencesOfPerson");
    else showError(byId("fences-status"), error);
  }
  byId("fences").classList.toggle("only-reads", onlyReads);
  drawn.show(fences);
  byId("fences-list").replaceChildren(...fences.map(described));
  byId("fences-none").hidden = fences.length > 0 || isRefused;
  showRequests(byId("fences-request"), get(all()));
}

/** Opens the card of one of the fences that `readFences` returns. */
export const openFence = ({ id }) => openCard("fence", cardOf(id, owner()));

/** A fence as a line of the list. */
function described(fence) {
  const facts = Object.values(aboutFence(fence, owner()));
  const named = (word) => ({ type: "button", class: "also", "aria-label": `${t(word)}: ${fence.id}` });
  return element("li", {},
    element("button", { type: "button", onclick: () => { goTo(fence.id); openFence(fence); } }, fence.id),
    fence.area && element("button", { ...named("change"), onclick: () => change(fence.id) }, t("change")),
    element("button", { ...named("delete"), onclick: () => remove(fence.id) }, t("delete")),
    element("small", {}, facts.filter(Boolean).join(" · ")));
}

/** The initial choice of watched people; a new fence of services requires ids, lest it watch everyone by mistake. */
function whomOf(fence) {
  if (!fence) return owner() ? "own" : "people";
  if (fence.everybody) return "everybody";
  return fence.people ? "people" : keptPeople(fence) ? "kept" : "own";
}

/** Shows the choices that this fence may have, and the field for ids if it is needed. */
function drawWhom() {
  const offered = { people: true, own: Boolean(owner()), everybody: !owner(), kept: Boolean(changed && keptPeople(changed.fence)) };
  for (const radio of field("whom")) radio.parentElement.hidden = !offered[radio.value];
  const isByID = field("whom").value === "people";
  byId("fence-people").hidden = !isByID;
  field("people").required = isByID;
  byId("fence-dwell").hidden = field("minutes").disabled = !field("dwell").checked;
}

/** The id of a fence: its name if that is a valid id, otherwise an id derived from it. */
const fenceId = (name) => /^[A-Za-z0-9._-]{1,64}$/.test(name.trim()) ? name.trim() : idOf(name);

/** Shows the id derived from a name if it differs; a name without letters and digits is invalid. */
function drawId() {
  const [typed, id] = [field("id").value.trim(), fenceId(field("id").value)];
  byId("fence-id-help").textContent = id && id !== typed ? t("fenceIdHelp", { id }) : "";
  field("id").setCustomValidity(typed && !id ? t("fenceIdBad") : "");
}

function goTo(id) {
  const bounds = drawn.bounds(id);
  if (bounds) map.fitBounds(bounds, { maxZoom: 16, animate: false });
}

/** The area of the clicked points, or the fence's own if there are none; undefined while there are too few points. */
function area() {
  const width = +field("within_m").value || 0;
  const line = points.map(({ lat, lon }) => [lon, lat]);
  const kept = changed?.fence.area;
  if (!points.length) return kept && (kept.within_m ? { ...kept, within_m: width } : kept);
  switch (field("shape").value) {
    case "circle": return { ...points.at(-1), within_m: width };
    case "polygon":
      return line.length < 3 ? undefined : { type: "Polygon", coordinates: [[...line, line[0]]] };
    default: return line.length < 2 ? undefined : { type: "LineString", coordinates: line, within_m: width };
  }
}

/** Draws the clicked points and their area, and updates the form. */
function draw() {
  const made = area();
  sketch.show(made ? [{ id: "", area: made }] : []);
  corners.clearLayers();
  for (const point of points) corners.addLayer(dot(point, "accent", 4));
  const least = { circle: 1, polygon: 3, corridor: 2 }[field("shape").value];
  const key = points.length && !made ? "pointsFew" : "points";
  byId("fence-points").textContent = t(key, { count: points.length, least });
  const isWide = points.length ? field("shape").value !== "polygon" : !changed || changed.fence.area.within_m;
  byId("fence-width").hidden = field("within_m").disabled = !isWide;
  byId("fence-save").disabled = !made || (isWide && !made.within_m);
  drawWhom();
  drawId();
}

function add(place) {
  if (field("shape").value === "circle") points = [];
  points.push(place);
  draw();
  if (points.length === 1) reveal(byId("fence-heading"));
}

/** Resets the form for a new fence, or fills it with a given one. */
function begin(given) {
  hasBegun = true;
  refuse();
  changed = given;
  points = [];
  form().reset();
  field("id").readOnly = Boolean(given);
  byId("fence-heading").textContent = t(given ? "changeFence" : "newFence");
  field("whom").value = whomOf(given?.fence);
  if (given) {
    const { fence } = given;
    field("id").value = fence.id;
    field("people").value = (fence.people ?? []).join(", ");
    field("shape").value = { Polygon: "polygon", MultiPolygon: "polygon", LineString: "corridor" }[fence.area.type] ?? "circle";
    if (fence.area.within_m) field("within_m").value = fence.area.within_m;
    for (const one of ["enter", "exit", "dwell"]) field(one).checked = fence.on.includes(one);
    if (fence.dwell_s) field("minutes").value = fence.dwell_s / 60;
  }
  draw();
}

async function change(id) {
  try {
    const { body, tag } = await send(get(path(id)));
    if (byId("fences").hidden) return;
    begin({ fence: body, tag });
    goTo(id);
    field("within_m").focus();
  } catch (error) { showError(byId("fences-status"), error); }
}

/** Shows beside the button why a fence was not saved, and marks the field; without arguments removes both. */
function refuse(error, name) {
  const line = byId("fence-fault");
  line.textContent = "";
  for (const one of form().querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  if (!error) return;
  showError(line, error);
  if (name) field(name).setAttribute("aria-invalid", true);
  line.scrollIntoView({ block: "nearest" });
}

/** The document written by the form, with people as typed; members without a field stay unchanged. */
function written() {
  const { everybody: _, people: __, group, attributes, ...rest } = changed?.fence ?? {};
  const choices = { people: { people: field("people").value }, own: {}, everybody: { everybody: true }, kept: { group, attributes } };
  const watched = choices[field("whom").value];
  const on = ["enter", "exit", "dwell"].filter((one) => field(one).checked);
  const dwell = on.includes("dwell") ? Math.round(field("minutes").value * 60) : undefined;
  // A name that is not a valid id is kept as the note.
  const typed = field("id").value.trim();
  const note = rest.note ?? (fenceId(typed) === typed ? undefined : typed);
  return { ...rest, ...note && { note }, ...watched, area: area(), on, dwell_s: dwell };
}

function save() {
  const id = changed?.fence.id ?? fenceId(field("id").value);
  const condition = changed ? { "If-Match": changed.tag } : { "If-None-Match": "*" };
  const isNew = !changed;
  // Taken before names become ids, while another fence may be opened.
  const [target, document] = [path(id), { ...written(), id }];
  const wanted = async () => {
    if (document.people !== undefined) document.people = await idsOf(document.people);
    return command("PUT", target, document, condition);
  };
  refuse();
  return perform(wanted, t("saved", { name: id }), (error) => {
    if (error.status !== 412) return refuse(error, error.isName && "people");
    return refuse(new Error(t(isNew ? "fenceExists" : "fenceChanged", { name: id })), isNew ? "id" : undefined);
  });
}

function remove(id) {
  if (!confirm(t("fenceDelete", { name: id }))) return undefined;
  const fail = (error) => showError(byId("fences-status"), error);
  return perform(() => command("DELETE", path(id)), t("deleted", { name: id }), fail);
}

/** Sends the command that `made` returns, then shows the current fences; calls `fail` with an error. */
async function perform(made, status, fail) {
  // A second click during the request would be refused, or delete something else.
  if (isSending) return;
  isSending = true;
  const given = changed;
  let wanted;
  try {
    wanted = await made();
    await fetchJSON(wanted);
    // Another fence that was opened in the meantime stays in the form.
    if (changed === given) begin();
    if (byId("fences").hidden) return;
    await list(status);
    reveal(byId("fences-status"));
  } catch (error) { fail(error); } finally { isSending = false; }
  if (wanted) showRequests(byId("fences-request"), wanted, get(all()));
}

export const fencesPanel = {
  start() {
    [drawn, sketch, corners] = [
      fenceLayer("stranger", openFence, { onOutline: true }), fenceLayer("accent"), layer(),
    ];
    byId("fences-form").addEventListener("submit", (event) => { event.preventDefault(); begin(); stateChanged(true); list(); });
    form().addEventListener("submit", (event) => { event.preventDefault(); save(); });
    form().addEventListener("input", () => { refuse(); draw(); });
    for (const one of [byId("fences-person"), field("people")]) suggestPeople(one);
    byId("fence-undo").addEventListener("click", () => { points.pop(); draw(); });
    byId("fence-anew").addEventListener("click", () => begin());
  },
  open(isRestored) {
    if (hasBegun) draw();
    else begin();
    return isRestored ? undefined : list();
  },
  close() {
    latest(() => Promise.resolve());
    drawn.show([]);
    sketch.show([]);
    corners.clearLayers();
  },
  choose: (place) => onlyReads ? undefined : add(place),
  state: () => ({ person: byId("fences-person").value.trim() }),
  async restore({ person = "", change: wanted }) {
    if (person !== owner()) {
      byId("fences-person").value = person;
      begin();
    }
    await list();
    if (wanted) await change(wanted);
  },
  refresh() { return byId("fences").hidden ? undefined : list(); },
};
