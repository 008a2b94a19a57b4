// Spanish names of common catalog values, which the service keeps in English; others are shown unchanged.
import { language, t } from "./words.js";

const spanish = {
  // Colors
  beige: "beis", black: "negro", blue: "azul", brown: "marrón", burgundy: "burdeos", cream: "crema", gold: "dorado",
  green: "verde", grey: "gris", multicolor: "multicolor", navy: "azul marino", orange: "naranja", pink: "rosa",
  purple: "morado", red: "rojo", silver: "plateado", tan: "camel", turquoise: "turquesa", white: "blanco",
  yellow: "amarillo",
  // Materials
  canvas: "lona", cork: "corcho", cotton: "algodón", denim: "vaquero", elastane: "elastano", elastic: "elástico",
  "faux leather": "polipiel", felt: "fieltro", jute: "yute", knit: "punto", leather: "piel", linen: "lino",
  mesh: "malla", microfiber: "microfibra", nubuck: "nobuk", nylon: "nailon", "patent leather": "charol",
  polyester: "poliéster", polymer: "polímero", rubber: "goma", satin: "satén", silk: "seda", straw: "paja",
  suede: "ante", synthetic: "sintético", textile: "textil", velvet: "terciopelo", wood: "madera", wool: "lana",
  // Genders
  female: "mujer", kids: "niños", male: "hombre", men: "hombre", other: "otro", women: "mujer",
  // Categories
  "ankle boot": "botín", ballerina: "bailarina", bicycle: "bicicleta", bicycles: "bicicletas", boot: "bota",
  clog: "zueco", derby: "derbi", electronics: "electrónica", espadrille: "alpargata", loafer: "mocasín",
  "pointe shoe": "zapatilla de punta", pump: "zapato de salón", running: "zapatilla de correr", sandal: "sandalia",
  shoes: "calzado", slide: "chancla", slipper: "zapatilla de casa", sneaker: "zapatilla", wedge: "cuña",
  // Kinds and tags of places
  bakery: "panadería", beach: "playa", bigbox: "gran superficie", comfort: "comodidad", delivery: "reparto",
  express: "exprés", handmade: "artesanal", market: "mercado", mobile: "móviles", museum: "museo",
  pharmacy: "farmacia", rental: "alquiler", repair: "reparación", restaurant: "restaurante", school: "escuela",
  shop: "tienda", sport: "deporte", station: "estación", store: "tienda", vegan: "vegano", "wide-fit": "horma ancha",
};

/** Choices of the back office's forms; some of the words have another meaning in the catalog. */
const choices = {
  complicated: "es complicado", divorced: "divorcio", married: "matrimonio", open: "relación abierta",
  partnered: "en pareja", separated: "separación", single: "soltería", widowed: "viudedad",
  dwell: "quedarse", enter: "entrar", exit: "salir", failing: "falla", gone: "ya no existe", silent: "silencio",
};

const named = (value, names) => language() === "es" && Object.hasOwn(names, value) ? names[value] : value;

/** A value of the catalog in the language of the page. */
export const valueName = (value) => named(value, spanish);

/** A choice of a form in the language of the page. */
export const choiceName = (value) => named(value, { ...spanish, ...choices });

/** A size in the reader's language, such as `40,5` for `EU:40.5`; systems other than European are named. */
export function sizeName(size) {
  const [number, system = "EU"] = size.split(":").reverse();
  const written = /^\d+(\.\d+)?$/.test(number) ? Number(number).toLocaleString(language()) : number;
  return system === "EU" ? written : `${system} ${written}`;
}

/** Items ordered by size, numbers from small to large; `sizeOf` returns an item's size. */
export const inOrder = (items, sizeOf = (size) => size) =>
  [...items].sort((a, b) => sizeOf(a).localeCompare(sizeOf(b), "en", { numeric: true }));

/** The colors of products in words, by the ids of the products. */
export const colorsById = (products) =>
  new Map(products.map(({ id, colors = [] }) => [id, colors.map(valueName).join(", ")]));

/** Whether a size is the searched one, which may lack its system. */
export const isSize = (size, sought) => size === sought || size.split(":").at(-1) === sought;

/** The sizes of an offer in words: for a single one the number left, for several their list. */
export function sizesLeft(sizes = {}) {
  const left = inOrder(Object.keys(sizes).filter((size) => sizes[size] > 0));
  if (left.length > 1) return t("sizes", { list: left.map(sizeName).join(", ") });
  return left.length ? t("sizeLeft", { size: sizeName(left[0]), count: sizes[left[0]] }).replaceAll(" ", "\u00a0") : "";
}
