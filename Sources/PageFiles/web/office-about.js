// Spanish notes for form fields and Spanish messages; the API's are in English.
import { inWords } from "./hours.js";
import { headingOf, isNamed, shown } from "./office-kinds.js";
import { valueName } from "./values.js";
import { language, t } from "./words.js";

const spanish = {
  attributes: "Personas que tienen todo esto en ese momento; de varios valores basta uno",
  confirm: "Posiciones seguidas dentro, con una hora como mucho entre ellas, que cuentan como entrada; por defecto 1",
  disabled: "Por qué no se envía nada; al guardar el webhook se vuelve a activar",
  dwell_s: "Segundos dentro tras los que se avisa de una estancia; hay que marcar «quedarse»",
  margin_m: "Metros fuera de la zona a los que alguien ha salido; por defecto la exactitud de la posición",
  once: "Se borra después de su primer evento",
  ordered: "El siguiente evento de una persona espera a que se acepte el anterior; por defecto sí",
  people: "Amistades, o la propia persona",
  person: "Solo eventos sobre esta persona; el webhook se borra con ella",
  silent_s: "Segundos sin señal tras los que se avisa; hay que marcar «silencio» y no indicar zona",
  types: "Sin marcar ninguno, todos los que se guardan",
  url: "Con https, salvo que el ajuste webhooks.allow incluya el servidor",
};

/** The note beside a field: its description in the API, or a Spanish one if there is any. */
export const aboutField = (name, description) =>
  description && language() === "es" && Object.hasOwn(spanish, name) ? spanish[name] : description;

const subjects = {
  backup: "copia de seguridad", clock: "reloj", cluster: "clúster", disk: "disco", keys: "claves", libraries: "bibliotecas",
  memory: "memoria", "open files": "archivos abiertos", permissions: "permisos", schema: "esquema", service: "servicio",
  settings: "ajustes", "write-ahead log": "registro de escritura",
};

/** The name of a subject that the doctor examined. */
export const subjectName = (subject) =>
  language() === "es" && Object.hasOwn(subjects, subject) ? subjects[subject] : subject;

/** Advice that names options of requests, with the key of the text that names the page's own. */
const advice = [
  [/^every row lacks a required field: use 'normalise'/, "officeAdviceMessy"],
  [/^use 'normalise' for prices with decimals or a currency$/, "officeAdvicePrices"],
  [/^use 'attributes' \(--attributes\) .*: (.+)$/, "officeAdviceColumns"],
  [/^column '(.+)' looks like a position and was kept as an attribute: use 'normalise'$/, "officeAdvicePosition"],
  [/^has the hemisphere '(.+)' in the column '.+': use 'normalise'$/, "officeAdviceHemisphere"],
  [/^'(.+)' names no currency: give one with 'currency'/, "officeAdviceCurrency"],
];

/** Whether a report advises to tick the box that corrects messy catalogs. */
export const advisesCorrection = ({ notes = [] }) => notes.some((one) => one.includes("use 'normalise'"));

/** Catalog values in Spanish, such as `rojo, azul` for `red, blue`. */
const values = (list) => list.split(", ").map((one) => one === "none" ? "nada" : valueName(one)).join(", ");
const sources = { "the name": "el nombre", "the description": "la descripción" };
/** A source of words in Spanish, such as `la columna «extra»`. */
const source = (text) => sources[text] ?? text.replace(/^column '(.+)'$/, "la columna «$1»");
const looks = {
  "a price": "un precio", "an amount": "una cantidad", hours: "un horario", "a position": "una posición",
  "a time": "una fecha o una hora",
};
/** What became of a column that matches no field. */
const fate = (text) => text.includes("searched") ? "se han buscado palabras en ella y no se guarda" : "no se guarda";
const parts = {
  street: "calle", house_number: "número", zip: "código postal", state: "provincia", country: "país",
  store_id: "número de tienda",
};
/** The name of a field, or of a part of one that only files have. */
const fieldName = (name) => parts[name] ?? headingOf(name);
/** Names in the service's quotes, such as `«monday», «monday_hours»` for `monday', 'monday_hours`. */
const quoted = (names) => `«${names.replaceAll("', '", "», «")}»`;
const separators = { semicolons: "punto y coma", tabs: "tabuladores" };

/** The service's messages about values, files and opening hours, with their Spanish equivalents. */
const details = [
  [/^(?:is required|is empty)$/, () => "falta"],
  [/^is empty; leave the column out for the present time$/, () => "falta; para la hora actual, quita la columna"],
  [/^'(.+)' is also the id of row (\d+), which this row replaces$/,
    (id, row) => `«${id}» también es el id de la fila ${row}, a la que esta sustituye`],
  [/^(\d+) rows? replaces? an earlier row with the same id$/,
    (count) => `filas que sustituyen a otra anterior con el mismo id: ${count}`],
  [/^the file has many rows: ids were compared only with the first (\d+)$/,
    (count) => `el archivo tiene muchas filas: los id solo se comparan con los ${count} primeros`],
  [/^'(.+)' was read as (\S+), as '(.+)' is '(.+)'$/, (text, signed, column, side) =>
    `«${text}» se lee como ${signed}, porque «${column}» es «${side}»`],
  [/^(?:is |')(.+?)'?(?:, which)? is not certain with '(.+)' in '(.+?)'(: .+)?$/, (text, side, column, isPlace) =>
    `«${text}» es dudoso con «${side}» en «${column}»${isPlace ? ": el lugar queda sin posición" : ""}`],
  [/^'(.+)' is in column '(.+)', and no other is a name$/,
    (text, column) => `«${text}» está en la columna «${column}», y ninguna otra es un nombre`],
  [/^'(.+)' cannot be taken out of '(.+)': hours are unknown$/,
    (names, hours) => `no es posible quitar ${quoted(names)} de «${hours}»: no se sabe el horario`],
  [/^'(.+?)' in '(.+)' does not count beside others of its day$/,
    (text, columns) => `«${text}» en ${quoted(columns)} no cuenta junto a otras horas de su día`],
  [/^'(.+?)' in '(.+)' was not read beside hours with days$/,
    (text, column) => `«${text}» en «${column}» no se lee, porque el horario ya tiene días`],
  [/^days that an earlier row closes have hours$/, () => "hay horas en días que una fila anterior cierra"],
  [/^is (.+); must be from (\S+) to ([^\s;]+).*$/,
    (value, least, most) => `es ${value}; debe estar entre ${least} y ${most}`],
  [/^is (.+); must be a number$/, (value) => `es ${value}; debe ser un número`],
  [/^is (.+); must be a whole number.*$/, (value) => `es ${value}; debe ser un número entero`],
  [/^is (.+); must be a string$/, (value) => `es ${value}; debe ser un texto`],
  [/^is (.+); must be a day as yyyy-mm-dd$/, (value) => `es ${value}; debe ser una fecha como aaaa-mm-dd`],
  [/^is '(.+)'; must be one of (.+)$/, (value, list) => `es «${value}»; debe ser uno de estos: ${list}`],
  [/^is '(.+)'; must be an ISO 4217 code such as EUR$/,
    (code) => `es «${code}»; debe ser un código ISO 4217, como EUR`],
  [/^(?:is )?'(.+)',? (?:which )?is not an IANA time zone$/,
    (zone) => `«${zone}» no es una zona horaria IANA, como Europe/Madrid`],
  [/^is '(.+)', an error of a spreadsheet$/, (text) => `es «${text}», un error de la hoja de cálculo`],
  [/^has (\d+) bytes; (?:at most|an id has at most) (\d+)(?: are allowed)?$/,
    (bytes, most) => `tiene ${bytes} bytes; se admiten ${most} como mucho`],
  [/^has (\d+) entries; at most (\d+) are allowed$/,
    (count, most) => `tiene ${count} valores; se admiten ${most} como mucho`],
  [/^has (\d+) fields; the header has (\d+)$/, (count, most) => `tiene ${count} campos, y la cabecera ${most}`],
  [/^has a space or a character that is not printable ASCII$/,
    () => "solo puede tener letras sin acento, cifras y signos, sin espacios"],
  [/^has a control character$/, () => "tiene un carácter de control"],
  [/^has '(.+)'; must have only sizes such as (\S+) or (\S+)$/,
    (text, ...sizes) => `tiene «${text}»; solo puede tener tallas como ${sizes.join(" o ")}`],
  [/^has a quote that is not closed .*$/, () => "tiene unas comillas sin cerrar"],
  [/^is not an http or https address$/, () => "no es una dirección http o https"],
  [/^is not an e-mail address$/, () => "no es una dirección de correo"],
  [/^is not a field here.*$/, () => "no es un campo de estos datos"],
  [/^is required with a price$/, () => "falta, porque hay precio"],
  [/^is required with a currency$/, () => "falta, porque hay moneda"],
  [/^exactly one of 'people', 'group', 'attributes' and 'everybody' is required$/,
    () => "indica solo una cosa: personas, grupo, atributos o todo el mundo"],
  [/^(.+): 0 is assumed$/, (reason) => `${detailName(reason)}: se supone 0`],
  [/^(.+); the quantity is kept$/, (reason) => `${detailName(reason)}; se conserva la cantidad`],
  [/^'(.+?)'(?: in '(.+?)')? is not understood(?:: (.+))?$/, (text, column, reason) =>
    `«${text}»${column ? ` en ${quoted(column)}` : ""} no se entiende${reason ? `: ${detailName(reason)}` : ""}`],
  [/^(?:that day is|hours are) unknown$/, () => "no se sabe el horario"],
  [/^the sale price '(.+)' (?:does not count|means no sale|is not a price).*$/,
    (text) => `el precio rebajado «${text}» no cuenta`],
  [/^is required: row (\d+) has the same .+$/, (row) => `falta, y la fila ${row} tiene los mismos datos`],
  [/^is required: .+$/, () => "falta"],
  [/^is given twice, as '(.+)' and as '(.+)'$/, (...names) => `está dos veces: «${names.join("» y «")}»`],
  [/^is not a known person$/, () => "no es una persona conocida"],
  [/^there is no (\w+) '(.+)'$/, (_, id) => `no existe «${id}»`],
  [/^'(.+)' is not the id, name or address of a place$/,
    (text) => `«${text}» no es el id, el nombre ni la dirección de un lugar`],
  [/^'(.+)' is a place of the kind '.+', and no store$/, (text) => `«${text}» es un lugar que no es una tienda`],
  [/^'(.+)' is the name or address of (\d+) places: give an id, such as (.+)$/,
    (text, count, ids) => `«${text}» es el nombre o la dirección de ${count} lugares: indica un id, como ${ids}`],
  [/^(.+) is not a (price|size)$/, (text, what) => `${text} no es ${what === "price" ? "un precio" : "una talla"}`],
  [/^'(.+)' has more than (\d+) characters$/, (text, most) => `«${text}» tiene más de ${most} caracteres`],
  [/^'(.+)' is not an http or https address$/, (text) => `«${text}» no es una dirección http o https`],
  [/^(.+) was made from (brand and name|.+)$/, (value, source) =>
    `${value} sale de ${source === "brand and name" ? "la marca y el nombre" : source}`],
  [/^(.+) was read as (\d+) (\w{3}) in minor units(.*)$/, (value, price, currency, more) =>
    `${value} se lee como ${price} céntimos (${currency})${more && "; compruébalo"}`],
  [/^a decimal comma was read as a point$/, () => "la coma decimal se lee como punto"],
  [/^was swapped with lon: only then it is near (.+)$/,
    (city) => `se cambia por la longitud: solo así está cerca de ${city}`],
  [/^was swapped with lon: .+$/, () => "se cambia por la longitud: solo así es válida y concuerda con la dirección"],
  [/^is near (.+), (\w+), unlike the address; kept$/,
    (city, country) => `está cerca de ${city} (${country}), y la dirección no; se conserva`],
  [/^0, 0 is in the sea: .+$/, () => "0, 0 está en el mar: el lugar queda sin posición"],
  [/^'(.+)' stands for a missing position: .+$/,
    (text) => `«${text}» indica que no hay posición: el lugar queda sin ella`],
  [/^'(.*)' was read as (\S+) degrees$/, (text, degrees) => `«${text}» se lee como ${degrees} grados`],
  [/^'(.*)' was read as '(.+)', the only such place$/, (text, id) =>
    `«${text}» se lee como ${id}, el único lugar así`],
  [/^'(.*)' was read as 0 instead of '(.+)'$/, (text, other) => `«${text}» se lee como 0 en vez de «${other}»`],
  [/^'(.*)' was read as at least one$/, (text) => `«${text}» se lee como uno o más`],
  [/^'(.*)' in '(.+)' was read as closed$/, (text, column) => `«${text}» en «${column}» se lee como cerrado`],
  [/^'([^']*)' was read as (.+)$/, (text, list) => `«${text}» se lee como ${values(list)}`],
  [/^(.+) is in the name, as \((.+)\)$/, (value) => `«${values(value)}» está en el nombre`],
  [/^(.+) is in (the name|the description|column '.+')$/,
    (list, where) => `«${values(list)}» está en ${source(where)}`],
  [/^'(.+)' says that the place is closed; kept$/, (text) => `«${text}» dice que el lugar está cerrado; se conserva`],
  [/^column '(.+)' may be an amount$/, (column) => `la columna «${column}» puede ser una cantidad`],
  [/^its column is empty$/, () => "su columna está vacía"],
  [/^the first of several addresses was used$/, () => "se usa la primera de varias direcciones"],
  [/^the discount '(.+)' .*does not count.*$/, (text) => `el descuento «${text}» no cuenta`],
  [/^the broken list '(.+)' was read as (.+)$/, (text, list) => `la lista cortada «${text}» se lee como ${list}`],
  [/^'(.+)' was taken for (?:half|whole|all) sizes .+$/, (text) => `«${text}» son todas las tallas de una a otra`],
  [/^HTML tags were removed$/, () => "se quitan las etiquetas HTML"],
  [/^is empty: give a quantity .+$/, () => "falta: indica una cantidad por talla, o la cantidad si no tiene tallas"],
  [/^'(.+)' is not expected there$/, (word) => `no se espera «${word}» ahí`],
  [/^(.+) may be in 12-hour or 24-hour time$/, (times) => `${times} puede ser de la mañana o de la tarde`],
  [/^(\S+) does not exist$/, (time) => `${time} no existe`],
  [/^a separator is missing before '(.+)'$/, (word) => `falta un separador antes de «${word}»`],
  [/^days without times.*: when it is open is unknown$/, () => "hay días sin horas: no se sabe cuándo abre"],
  [/^days without times are open all day$/, () => "los días sin horas cuentan como abiertos todo el día"],
  [/^'(.+)' overlaps other times of its days, and replaces them$/,
    (rule) => `«${rule}» coincide con otras horas de sus días y las sustituye`],
  [/^'(.+)' replaces other times of its days, .+$/,
    (rule) => `«${rule}» sustituye otras horas de sus días; para añadirlas se separan con una coma`],
  [/^warning: (.+)$/, (note) => `Aviso: ${detailName(note)}`],
  [/^columns were read as separated by (.+)$/,
    (name) => `las columnas se leen separadas por ${separators[name] ?? name.replaceAll("'", "")}`],
  [/^texts were read as UTF-16$/, () => "los textos se leen como UTF-16"],
  [/^row (\d+) is not UTF-8: .+$/, (row) => `la fila ${row} no es UTF-8: desde ella se lee como Windows-1252`],
  [/^column '(.+)' was read as the hemisphere of '(\w+)'$/,
    (column, field) => `la columna «${column}» se lee como el hemisferio de ${fieldName(field)}`],
  [/^column '(.+)' was read as whether there is some$/, (column) => `la columna «${column}» se lee como si hay o no`],
  [/^column '(.+)' was read as the price while a sale lasts$/,
    (column) => `la columna «${column}» se lee como el precio mientras dura la rebaja`],
  [/^(?:column|field) '(.+)' was read as '(\w+)'$/,
    (column, field) => `la columna «${column}» se lee como ${fieldName(field)}`],
  [/^column '(.+)' matches no field(.+)$/,
    (column, rest) => `la columna «${column}» no corresponde a ningún campo: ${fate(rest)}`],
  [/^column '(.+)' looks like (.+) and matches no field(.+)$/, (column, look, rest) =>
    `la columna «${column}» parece ${looks[look] ?? look} y no corresponde a ningún campo: ${fate(rest)}`],
  [/^column '(.+)' looks like (hours|a position) and was not read as .+$/,
    (column, look) => `la columna «${column}» parece ${looks[look]} y no se lee así`],
  [/^column (\d+) has no name and was not read$/, (number) => `la columna ${number} no tiene nombre y no se lee`],
  [/^column 'kind' is missing or empty: '(.+)' was used$/, (kind) => `falta el tipo: se pone ${valueName(kind)}`],
  [/^column '(.+)' has objects, which were not kept$/,
    (column) => `la columna «${column}» tiene objetos, que no se guardan`],
  [/^column 'price' has prices with decimals or a currency: .+$/,
    () => "la columna de precios tiene decimales o monedas: los números enteros se leen igual, no como céntimos"],
  [/^column 'price': whole numbers up to row (\d+) were read as minor units, but row (\d+) .+$/, (last, row) =>
    `los precios enteros hasta la fila ${last} se leen como céntimos, y en la ${row} hay decimales: compruébalos`],
  [/^rows that repeat the header, .+: (\d+)$/, (count) => `filas que repiten la cabecera, que no se leen: ${count}`],
  [/^rows with only a further picture .+: (\d+)$/,
    (count) => `filas con solo otra foto de un producto, que no se leen: ${count}`],
  [/^hours were combined from .+$/, () => "el horario se forma con varias columnas"],
  [/^days .+ were taken out of the hours$/, () => "los días cerrados en otras columnas se quitan del horario"],
  [/^positions were read from (.+)$/,
    (names) => `las posiciones se leen de ${names.replaceAll("' and '", "» y «").replace(/^'|'$/g, "")}`],
  [/^ids were made from .+$/, () => "los id que faltan salen de otras columnas, como el nombre y la dirección"],
  [/^addresses were combined from their parts$/, () => "las direcciones se forman con sus partes"],
  [/^a place without a name got its brand as the name$/, () => "un lugar sin nombre lleva su marca como nombre"],
  [/^(\d+) places? ha(?:s|ve) no position$/, (count) => `lugares sin posición: ${count}`],
  [/^every row lacks a required field; columns that match no field: (.+)$/,
    (list) => `a todas las filas les falta un campo obligatorio; columnas que no corresponden a ninguno: ${list}`],
  [/^(.+)\. Before that \d+ rows were \w+ and \d+ refused\.$/, (reason) => `${detailName(reason)}.`],
  [/^The file has no header$/, () => "El archivo no tiene cabecera"],
  [/^(?:The header )?is neither UTF-8 nor Windows-1252$/, () => "no es un texto UTF-8 ni Windows-1252"],
  [/^'([^']+)': (.+)$/, (text, doubts) => `«${text}»: ${doubts.split("; ").map(detailName).join("; ")}`],
  [/^The header has '(.+)' twice$/, (column) => `La cabecera tiene «${column}» dos veces`],
];

/** The service's message about a value, in the page's language and with the page's options. */
export function detailName(detail) {
  const [asked, key] = advice.find(([pattern]) => pattern.test(detail.replace(/^warning: /, ""))) ?? [];
  if (asked) return t(key, { box: t("officeNormalise"), text: detail.replace(/^warning: /, "").match(asked)[1] });
  const [pattern, words] = language() === "es" ? details.find(([pattern]) => pattern.test(detail)) ?? [] : [];
  return pattern ? words(...detail.match(pattern).slice(1)) : detail;
}

/** A note of a report as a sentence of its own. */
export const noteName = (note) => {
  const text = detailName(note);
  return text[0].toLocaleUpperCase(language()) + text.slice(1);
};

/** What the service says about opening hours: how it reads them, or that it does not understand them. */
function remarkOnHours(warning) {
  const [, read] = warning.match(/^was read as '(.+)'$/) ?? [];
  if (read) return { text: t("officeHoursRead", { hours: read.split("; ").map(inWords).join("; ") }) };
  const [, reason] = warning.match(/^is not understood: (.+)$/) ?? [];
  return { text: reason ? t("officeHoursUnknown", { reason: detailName(reason) }) : noteName(warning), isBad: true };
}

/** Remarks on a member of a document: those of the service, or the Spanish names of catalog values. */
export function remarksOn(name, document) {
  if (name === "hours") return (document.hours_warnings ?? []).map(remarkOnHours);
  const text = shown(document, name);
  const kept = [document[name] ?? ""].flat().join(", ");
  return isNamed(name) && text !== kept ? [{ text: t("officeShownAs", { text }) }] : [];
}
