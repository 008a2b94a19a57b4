// The columns of an imported file, and the ids or names of its rows, read in the browser for the report.
import { plain } from "./dom.js";

/** Columns that only one kind of documents has, without accents, in English and Spanish. */
const own = {
  people: /\b(surnames?|apellidos?|born|nacimiento|e ?mail|correo)\b/,
  friends: /^[ab]$/,
  places: /\b(lat|latitude?|lon|lng|longitude?|hours|horarios?|address|direccion|calle|street)\b/,
  products: /\b(brand|marca|colou?rs?|colores|material(s|es)?|pvp)\b/,
  stock: /\b(store|tienda|quantity|cantidad|existencias|unidades)\b/,
  pings: /\b(person|persona|accuracy m)\b/,
};

/** The text of a file, decoded as the service does: UTF-16 with its mark, UTF-8, or otherwise Windows-1252. */
function decoded(bytes) {
  const mark = { 255254: "utf-16le", 254255: "utf-16be" }[bytes.slice(0, 2).join("")];
  for (const name of [mark ?? "utf-8", "windows-1252"]) {
    // A part of a file may end within a letter.
    try { return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: true }); } catch { /* The next one. */ }
  }
  return "";
}

const part = async (blob) => decoded(new Uint8Array(await blob.arrayBuffer()));

/** The beginning of a workbook of Excel or LibreOffice (a zip archive), or of an old one of Excel. */
const workbooks = ["80,75,3,4", "208,207,17,224"];

/** Whether a file is a workbook, which is not text. */
export const isWorkbook = async (bytes) =>
  workbooks.includes(String(new Uint8Array(await bytes.slice(0, 4).arrayBuffer())));

/** The kind of documents to which a file's columns belong; undefined if they belong to none or several. */
export async function kindOfColumns({ bytes, format: { type, isZipped } }) {
  if (isZipped || !/csv|tab/.test(type)) return undefined;
  const [header] = (await part(bytes.slice(0, 65536))).split(/\r?\n/);
  const columns = cells(header, separatorOf(header)).map((name) => plain(name).replace(/[^a-z]+/g, " ").trim());
  const kinds = Object.keys(own).filter((kind) => columns.some((name) => own[kind].test(name)));
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** The cells of a line of CSV. */
function cells(line, separator) {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}]*)(?:${separator}|$)`, "g");
  return [...line.matchAll(cell)].map(([, text]) => text.replace(/^"|"$/g, "").replace(/""/g, '"').trim());
}

/** The most frequent separator in a header. */
const separatorOf = (header) => [",", ";", "\t", "\\|"].map((one) => [one, header.split(new RegExp(one)).length])
  .sort(([, a], [, b]) => b - a)[0][0];

const shortName = ({ id, name }) => String(id || name || "").slice(0, 60);

/** Names of rows by their lines in CSV. */
function ofCSV(lines) {
  const separator = separatorOf(lines[0]);
  const columns = cells(lines[0].replace(/^\ufeff/, ""), separator).map((name) => name.toLowerCase());
  const at = (values, name) => values[columns.indexOf(name)];
  return (number) => {
    const values = cells(lines[number - 1] ?? "", separator);
    return shortName({ id: at(values, "id"), name: at(values, "name") ?? values.find(Boolean) });
  };
}

/** Returns a function that names a row by its number and line; names are empty for compressed or unreadable files. */
export async function rowNames({ bytes, format: { type, isZipped } }) {
  const none = () => "";
  if (isZipped) return none;
  try {
    const text = await part(bytes);
    const lines = text.split(/\r?\n/);
    if (type === "text/csv" || type === "text/tab-separated-values") {
      const named = ofCSV(lines);
      return (row, line) => named(line ?? row);
    }
    if (type === "application/x-ndjson") return (row, line) => shortName(JSON.parse(lines[(line ?? row) - 1]));
    const { features } = JSON.parse(text);
    return (row) => {
      const { id, properties } = features[row - 1];
      return shortName({ id: id ?? properties.id, name: properties.name });
    };
  } catch { return none; }
}
