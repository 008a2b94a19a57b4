// Requests to the service, each of which can be shown as a curl command.
import { Cerca, CercaError } from "./client.js";
import { t } from "./words.js";

const key = "cerca-token";

/** The token of this tab, perhaps empty; it is stored nowhere else. */
export const token = () => sessionStorage.getItem(key) ?? "";

/** Keeps a token until the tab is closed. */
export const keepToken = (text) => text ? sessionStorage.setItem(key, text) : sessionStorage.removeItem(key);

/** A `GET`; parameters that are empty or undefined are left out. */
export const get = (path, parameters = {}) => ({ method: "GET", path, parameters });

/** A request that changes something; `condition` is a header such as `{"If-Match": tag}`. */
export const command = (method, path, body, condition = {}) => ({ method, path, parameters: {}, body, condition });

/** A percent-encoded text, also safe between the quotes of a shell command. */
export const escaped = (text) => encodeURIComponent(text).replace(/'/g, "%27");

export function address({ path, parameters }) {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const written = (value) => escaped(value).replace(/%3A/g, ":").replace(/%2C/g, ",");
  return path + (pairs.length ? "?" : "") + pairs.map(([name, value]) => `${name}=${written(value)}`).join("&");
}

/** Sends a request, and returns the body of the response; throws as `send` does. */
export const fetchJSON = async (request, signal) => (await send(request, signal)).body;

/** The status codes of a proxy that cannot reach the service; undefined for no response. */
const unreached = [undefined, 502, 504];
let underway = 0;

/**
 * Announces a request's begin or end; `isReached` is whether the service answered, undefined if it was aborted.
 *
 * `isRefused` is whether the present token, or its lack, was refused; undefined if that was not looked at.
 */
function announce(change, isReached, isRefused) {
  underway += change;
  document.dispatchEvent(new CustomEvent("requests", { detail: { underway, isReached, isRefused } }));
}

/**
 * Sends a request, and returns the body and the tag of the response.
 *
 * Throws an error with the problem's `status`, `code` and detail; `isUnreached` if there is no response.
 */
export async function send({ method, path, parameters, body, condition }, signal) {
  // The page came over this connection too, and it shows a failure at once instead of trying again.
  const cerca = new Cerca(location.origin, { token: token(), cleartext: true, attempts: 1 });
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ""));
  announce(1);
  const sent = token();
  let [isReached, refused] = [];
  try {
    const answer = await cerca.request(method, path, { parameters: given, body, headers: condition, signal });
    [isReached, refused] = [true, false];
    return { body: answer.body ?? {}, tag: answer.tag };
  } catch (error) {
    if (!(error instanceof CercaError)) throw error;
    const { status, code, detail, errors } = error;
    isReached = !unreached.includes(status);
    if (isReached) refused = status === 401;
    const words = isReached ? detail || `${status}` : t("unreachable");
    throw Object.assign(new Error(words), { status, code, errors, isUnreached: !isReached });
  } finally { announce(-1, isReached, path.startsWith("/v1/") && sent === token() ? refused : undefined); }
}

/** Runs one function with an `AbortSignal` at a time; each call aborts the previous one. */
export function latestOnly() {
  let controller = new AbortController();
  return (work) => {
    controller.abort();
    controller = new AbortController();
    return work(controller.signal);
  };
}

/** A text quoted for a shell. */
const quoted = (text) => `'${text.replace(/'/g, "'\\''")}'`;

/** The curl command of a request, without the token. */
export function curl(request) {
  const { method, body } = request;
  return [
    "curl", method === "GET" ? "" : `-X ${method}`, token() ? `-H "Authorization: Bearer $TOKEN"` : "",
    body ? `-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}` : "",
    quoted(location.origin + address(request)),
  ].filter(Boolean).join(" ");
}
