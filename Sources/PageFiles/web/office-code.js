// QR codes, drawn in the browser by qrcode-generator (MIT) if the server has it, so that no other server gets a token.
import { fetchJSON, get } from "./api.js";
import { element } from "./dom.js";

let loading;

/** Whether codes can be drawn; the first call loads the script. */
export function canDraw() {
  loading ??= new Promise((resolve) => {
    const script = element("script", { src: "/page/qrcode.js", onload: () => resolve(true), onerror: () => resolve(false) });
    document.head.append(script);
  });
  return loading;
}

/** Whether a phone can use an address: it has TLS, and is not local to this machine. */
const suits = ({ protocol, hostname }) => protocol === "https:"
  && !/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);

/** The address for phones: the page's, or the setting `public_url`, as links show it; undefined for none. */
export async function addressForPhones(signal) {
  if (suits(location)) return location.origin;
  const { links = [] } = await fetchJSON(get("/ogc"), signal).catch(() => ({}));
  const known = links[0] && new URL(links[0].href, location.origin);
  return known && suits(known) ? known.origin : undefined;
}

/** The width of a module in pixels, and of the quiet zone in modules (ISO/IEC 18004). */
const [pixels, quiet] = [4, 4];

/** A text's code as a picture, dark on white in every theme because cameras expect that. */
export function codeOf(text, label) {
  const code = window.qrcode(0, "L");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const width = (count + 2 * quiet) * pixels;
  const picture = element("canvas", { width, height: width, role: "img", "aria-label": label });
  const context = picture.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, width);
  context.fillStyle = "#000";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.isDark(row, column)) context.fillRect((column + quiet) * pixels, (row + quiet) * pixels, pixels, pixels);
    }
  }
  return picture;
}
