// QR codes, drawn in the browser by qrcode-generator (MIT) if the server has it, so that no other server gets a token.
import { element } from "./dom.js";

let loading;

/** Whether codes can be drawn; the script is loaded when the first is asked for. */
export function canDraw() {
  loading ??= new Promise((settle) => {
    const script = element("script", { src: "/page/qrcode.js", onload: () => settle(true), onerror: () => settle(false) });
    document.head.append(script);
  });
  return loading;
}

/** The key of the words why a phone could not use this address; undefined if it could. */
export function whyNone({ protocol, hostname }) {
  if (/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname)) return "officeCodeLoopback";
  return protocol === "https:" ? undefined : "officeCodePlain";
}

/** The pixels of a module, and the modules of the quiet zone around a code (ISO/IEC 18004). */
const [pixels, quiet] = [4, 4];

/** The picture of a text, dark on white in every theme because cameras expect that. */
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
