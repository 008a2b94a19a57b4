// Photos, loaded only from servers that the service names: any other would learn who looks at them, and when.
import { fetchJSON, get } from "./api.js";
import { element } from "./dom.js";

let servers;

function originOf(address) {
  try { return new URL(address).origin; } catch { return undefined; }
}

/** The origins of the photo servers, which are requested once, and again after a failure. */
async function origins() {
  servers ??= fetchJSON(get("/page/map.json")).then(({ photos = [] }) => photos.map(originOf));
  try { return await servers; } catch {
    servers = undefined;
    return [];
  }
}

/** The photo at an address, requested without a referrer; `instead` if it may not or cannot be loaded. */
export async function photo(address, instead) {
  if (!address || !(await origins()).includes(originOf(address))) return instead;
  return element("img", {
    class: "photo", alt: "", referrerpolicy: "no-referrer", onerror: ({ target }) => target.replaceWith(instead), src: address,
  });
}
