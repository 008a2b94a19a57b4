// The stock of a store: the searched products with their size marked, the cheapest, and all on request.
import { escaped, fetchJSON, get } from "./api.js";
import { element, price, showError } from "./dom.js";
import { photo } from "./photos.js";
import { inOrder, isSize, sizeName } from "./values.js";
import { t } from "./words.js";

/** The maximum numbers of a store's products in one answer, and of products named in one answer. */
const [mostListed, mostNamed] = [20, 100];

/** The queries for a store's stock: the cheapest products, the searched ones, and those in all sizes. */
export function stockQueries(around, sought) {
  const { size, ...others } = sought;
  const of = (filters) => ({ nearest: "stores", ...around, ...filters });
  const isSought = Object.keys(sought).length > 0;
  return [of({}), ...isSought ? [of(sought)] : [], ...isSought && size ? [of(others)] : []];
}

/** Sizes in stock, with the name of a common system once, and the searched size marked. */
function sizesOf(sizes, sought) {
  const left = inOrder(Object.keys(sizes).filter((size) => sizes[size] > 0));
  const systems = new Set(left.map((size) => size.split(":").slice(0, -1).join(":")));
  const [system] = systems.size === 1 ? systems : [""];
  const chips = left.map((size) => element(
    isSize(size, sought) ? "mark" : "span", { title: t("inStock", { count: sizes[size] }) },
    sizeName(system ? size.slice(system.length + 1) : size)));
  return system ? [element("small", {}, system), ...chips] : chips;
}

async function row({ id, brand, name, price: minor, currency, sizes, photo: address }, sought) {
  return element("li", {},
    element("span", {}, await photo(address, ""), [brand, name].filter(Boolean).join(" ") || id),
    minor !== undefined && currency ? element("strong", {}, price(minor, currency)) : "",
    element("span", { class: "sizes" }, ...sizesOf(sizes ?? {}, sought)));
}

const isInStock = ({ quantity, sizes }) => quantity > 0 || Object.values(sizes ?? {}).some((count) => count > 0);

/** The whole stock of a store, with the products' names, which stock does not have. */
async function everything(id) {
  const { items } = await fetchJSON(get(`/v1/stores/${escaped(id)}/stock`));
  const inStock = items.filter(isInStock);
  const parts = Array.from({ length: Math.ceil(inStock.length / mostNamed) },
    (_, part) => inStock.slice(part * mostNamed, (part + 1) * mostNamed).map(({ product }) => product));
  const fields = "id,brand,name,photo";
  const pages = await Promise.all(parts.map((ids) =>
    fetchJSON(get("/v1/products", { product: ids.join(","), limit: mostNamed, fields }))));
  const named = new Map(pages.flatMap((page) => page.items).map((product) => [product.id, product]));
  return inStock.map((one) => ({ id: one.product, ...one, ...named.get(one.product) }))
    .sort((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity));
}

/** The stock on a card, from the products that each query returned for the store. */
export async function stockParts(id, [listed, found = [], foundInAll = []], { size } = {}) {
  const products = listed ?? [];
  if (!products.length) return [];
  const whole = new Map([...foundInAll, ...products].map((one) => [one.id, one.sizes]));
  const sought = found.map((one) => ({ ...one, sizes: whole.get(one.id) ?? one.sizes }));
  const isSought = ({ id: one }) => sought.some((other) => other.id === one);
  const rows = (all) => Promise.all(all.filter((one) => !isSought(one)).map((one) => row(one)));
  const heading = element("h3", {});
  const list = element("ul", { class: "stock" }, ...await rows(products));
  const more = element("button", { type: "button" }, t("stockAll"));
  const fault = element("p", { role: "alert" });
  // The service does not return the total.
  const isCut = products.length >= mostListed;
  heading.textContent = t(isCut ? "stockFirst" : "stock", { count: products.length });
  more.hidden = !isCut;
  more.addEventListener("click", async () => {
    more.disabled = true;
    try {
      const all = await everything(id);
      list.replaceChildren(...await rows(all));
      heading.textContent = t("stock", { count: all.length });
      more.hidden = true;
    } catch (error) { showError(fault, error); }
    more.disabled = false;
  });
  const first = sought.length
    ? [element("h3", {}, t("stockSought")),
      element("ul", { class: "stock" }, ...await Promise.all(sought.map((one) => row(one, size))))] : [];
  return [...first, heading, list, more, fault];
}
