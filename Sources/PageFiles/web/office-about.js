// Spanish notes for form fields and Spanish messages; the API's are in English.
import { language } from "./words.js";

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

/** The service's messages about refused values, with their Spanish equivalents. */
const details = [
  [/^is required$/, () => "falta"],
  [/^is (.+); must be from (\S+) to ([^\s;]+).*$/,
    (value, least, most) => `es ${value}; debe estar entre ${least} y ${most}`],
  [/^is (.+); must be a number$/, (value) => `es ${value}; debe ser un número`],
  [/^is (.+); must be a string$/, (value) => `es ${value}; debe ser un texto`],
  [/^is (.+); must be a day as yyyy-mm-dd$/, (value) => `es ${value}; debe ser una fecha como aaaa-mm-dd`],
  [/^has (\d+) bytes; at most (\d+) are allowed$/,
    (bytes, most) => `tiene ${bytes} bytes; se admiten ${most} como mucho`],
  [/^has a space or a character that is not printable ASCII$/,
    () => "solo puede tener letras sin acento, cifras y signos, sin espacios"],
  [/^(.+) is not a price$/, (value) => `${value} no es un precio`],
  [/^(.+) was made from (brand and name|.+)$/, (value, source) =>
    `${value} sale de ${source === "brand and name" ? "la marca y el nombre" : source}`],
  [/^(.+) was read as (\d+) (\w{3}) in minor units$/,
    (value, price, currency) => `${value} se lee como ${price} céntimos (${currency})`],
];

/** The service's message about a value, in the page's language if there is a translation. */
export function detailName(detail) {
  const [pattern, words] = language() === "es" ? details.find(([pattern]) => pattern.test(detail)) ?? [] : [];
  return pattern ? words(...detail.match(pattern).slice(1)) : detail;
}
