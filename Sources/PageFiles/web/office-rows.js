// The ids or names of an imported file's rows, read in the browser for the report.

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
    const text = await bytes.text();
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
