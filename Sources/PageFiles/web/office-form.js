// Forms generated from the API's description, so that new members appear automatically.
import { fetchJSON, get } from "./api.js";
import { element, idOf } from "./dom.js";
import { aboutField, remarksOn } from "./office-about.js";
import { labelOf } from "./office-kinds.js";
import { choiceName } from "./values.js";
import { t } from "./words.js";

let description;

/** The API's description (OpenAPI), which is read once. */
async function described() {
  description ??= fetchJSON(get("/openapi.json"));
  try { return await description; } catch (error) {
    description = undefined;
    throw error;
  }
}

/** A schema with its reference resolved and without `null`; of several alternatives, a string if there is one. */
function plain(schema, parts) {
  const { $ref: name, ...rest } = schema;
  if (name) return plain({ ...parts[name.split("/").at(-1)], ...rest }, parts);
  const choices = schema.anyOf?.map((one) => plain(one, parts)).filter(({ type }) => type !== "null");
  if (choices?.length === 1) return { ...choices[0], ...(schema.description && { description: schema.description }) };
  if (choices) return choices.find(({ type }) => type === "string") ?? { type: "object" };
  return { ...schema, type: [schema.type].flat().find((one) => one !== "null") ?? schema.type };
}

/** The longest text that gets a single line. */
const line = 500;

/** The kind of control for a value; undefined for members that the service fills in, which have no type. */
function controlOf(schema, parts) {
  if (schema.enum) return "choice";
  switch (schema.type) {
    case "boolean": return "flag";
    case "number": case "integer": return "number";
    case "string": return schema.format === "date" ? "date" : schema.maxLength > line && !schema.pattern?.includes("http") ? "prose" : "text";
    case "array": {
      const item = plain(schema.items ?? {}, parts);
      return item.enum ? "set" : item.type === "string" ? "list" : "json";
    }
    default: return schema.type && "json";
  }
}

/**
 * The form of a request: its members, whether it may be conditional, and its fields except `left`, beginning with the
 * required ones and `first`; undefined if there is no such request.
 */
export async function formOf(path, method, { left = [], first = [] } = {}) {
  const { paths, components: { schemas } } = await described();
  const request = paths[path]?.[method];
  if (!request) return undefined;
  const { properties, required = [] } = plain(request.requestBody.content["application/json"].schema, schemas);
  const rank = (name) => required.includes(name) ? -1 : first.includes(name) ? first.indexOf(name) : first.length;
  const fields = Object.entries(properties).filter(([name]) => !left.includes(name)).map(([name, schema]) => {
    const found = plain(schema, schemas);
    const options = (found.enum ?? (found.items && plain(found.items, schemas).enum))?.filter((one) => one !== null);
    return { name, control: controlOf(found, schemas), schema: found, options, isRequired: required.includes(name) };
  }).filter(({ control }) => control).sort((a, b) => rank(a.name) - rank(b.name));
  const isConditional = request.parameters?.some(({ name }) => name === "If-Match") ?? false;
  return { members: Object.keys(properties), fields, isConditional };
}

const area = (value, rows) => Object.assign(element("textarea", { rows, spellcheck: "false" }), { value });
const input = (type, value, more) => Object.assign(element("input", { type, autocomplete: "off", ...more }), { value });

function select(options, value) {
  const shown = { "": t("officeUnset"), true: t("yes"), false: t("officeNo") };
  const items = ["", ...options.map(String)].map((one) => element("option", { value: one }, shown[one] ?? choiceName(one)));
  return Object.assign(element("select", {}, ...items), { value });
}

/** For each control: a function that makes its element with a value, and one that reads it; empty is undefined. */
const controls = {
  text: [(field, value = "") => input("text", value, { maxlength: field.schema.maxLength }), ({ value }) => value || undefined],
  date: [(_, value = "") => input("date", value), ({ value }) => value || undefined],
  prose: [(_, value = "") => area(value, 2), ({ value }) => value || undefined],
  number: [
    ({ schema }, value = "") => input("number", value, { min: schema.minimum, max: schema.maximum, step: schema.type === "integer" ? 1 : "any" }),
    ({ value }) => value === "" ? undefined : Number(value),
  ],
  flag: [(_, value = "") => select([true, false], String(value)), ({ value }) => value ? value === "true" : undefined],
  choice: [({ options }, value = "") => select(options, value), ({ value }) => value || undefined],
  list: [
    (_, value = []) => area(value.join("\n"), 2),
    ({ value }) => {
      const lines = value.split("\n").map((one) => one.trim()).filter(Boolean);
      return lines.length ? lines : undefined;
    },
  ],
  json: [
    (_, value) => area(value === undefined ? "" : JSON.stringify(value, null, 2), value === undefined ? 2 : 5),
    (control) => {
      control.setCustomValidity("");
      try { return control.value.trim() ? JSON.parse(control.value) : undefined; } catch (error) {
        control.setCustomValidity(t("officeNotJSON", { reason: error.message }));
        return undefined;
      }
    },
  ],
};

const hints = { list: "officeHint_list", json: "officeHint_json" };

/** A set of choices as checkboxes. */
function boxes({ name, options, schema }, value = []) {
  const made = options.map((one) => Object.assign(element("input", { type: "checkbox", value: one }), { checked: value.includes(one) }));
  // A long name may wrap after a period.
  const broken = (text) => text.split(/(?<=\.)/).flatMap((part, index) => index ? [element("wbr"), part] : [part]);
  const all = made.map((box) => element("label", {}, box, element("span", {}, ...broken(choiceName(box.value)))));
  const about = note(aboutField(name, schema.description));
  const block = element("fieldset", { class: "office-set" }, element("legend", {}, labelOf(name)), ...all, about);
  const read = () => {
    const chosen = made.filter(({ checked }) => checked).map((box) => box.value);
    return chosen.length ? chosen : undefined;
  };
  return { name, block, control: made[0], read, fault: fault(block) };
}

const note = (text) => text && element("small", {}, text.replaceAll("`", ""));

/** Returns a function that shows or removes a field's error. */
const fault = (block) => (text) => {
  block.querySelector(".fault")?.remove();
  if (text) block.append(element("small", { class: "fault" }, text));
};

/** The id that a typed name stands for: itself if it is valid, otherwise one derived from it, which may be empty. */
export const idFrom = (name, longest = 128) =>
  name.length <= longest && /^[!-~]+$/.test(name) && !/^\.\.?$/.test(name) ? name : idOf(name);

/** The field of a document's id; in a new document it takes a name, and shows the id made from it. */
export function idBlock(label, id) {
  const control = input("text", id ?? "", { name: "id", required: true, readonly: id !== undefined });
  const made = element("small", { "aria-live": "polite" });
  const read = () => {
    const name = control.value.trim();
    const found = id ?? idFrom(name);
    control.setCustomValidity(name && !found ? t("officeIdNone") : "");
    return found;
  };
  control.addEventListener("input", () => {
    const found = read();
    made.textContent = found && found !== control.value.trim() ? t("officeIdMade", { id: found }) : "";
  });
  const block = element("label", {}, element("span", {}, `${label} *`), control, made);
  return { name: "id", block, control, read, fault: fault(block) };
}

/** A field with its value in a document: its block in the form, and functions that read it and show its error. */
export function fieldBlock(field, found) {
  const value = found[field.name];
  if (field.control === "set") return boxes(field, value);
  const { name, schema, isRequired } = field;
  const [make, readIn] = controls[field.control];
  const control = make(field, value);
  control.name = name;
  control.required = isRequired;
  const hint = hints[field.control];
  const isWide = ["prose", "list", "json"].includes(field.control);
  const heading = element("span", {}, labelOf(name), hint ? ` (${t(hint)})` : "", isRequired ? " *" : "");
  const about = note(aboutField(name, schema.description));
  const remarks = remarksOn(name, found)
    .map(({ text, isBad }) => element("small", { class: isBad && "office-doubt" }, text));
  const block = element("label", { class: isWide && "office-wide" }, heading, control, about, ...remarks);
  return { name, block, control, read: () => readIn(control), fault: fault(block) };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The merge patch (RFC 7396) that turns one document into another. */
export function patch(before, after) {
  const changed = Object.keys({ ...before, ...after }).filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => {
    const [old, value] = [before[name], after[name]];
    return [name, isObject(old) && isObject(value) ? patch(old, value) : value ?? null];
  }));
}
