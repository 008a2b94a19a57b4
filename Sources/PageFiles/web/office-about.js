// Notes beside the fields of forms in Spanish, where the description of the API has them in English.
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

/** What is said beside a field: the words of the description, or in Spanish ours where there are some. */
export const aboutField = (name, description) =>
  description && language() === "es" && Object.hasOwn(spanish, name) ? spanish[name] : description;

const subjects = {
  backup: "copia de seguridad", clock: "reloj", cluster: "clúster", disk: "disco", keys: "claves", libraries: "bibliotecas",
  memory: "memoria", "open files": "archivos abiertos", permissions: "permisos", schema: "esquema", service: "servicio",
  settings: "ajustes", "write-ahead log": "registro de escritura",
};

/** What the doctor examined. */
export const subjectName = (subject) => language() === "es" && Object.hasOwn(subjects, subject) ? subjects[subject] : subject;
