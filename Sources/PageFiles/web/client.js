// @ts-self-types="./client.d.ts"
// A client of Cerca for browsers, Node and Deno; it needs only `fetch`.
const keyed = ["/v1/groups", "/v1/people", "/v1/places", "/v1/places/{id}/comments"];

/** A failed request: the service's problem (RFC 9457), or a missing answer; it has neither token nor query. */
export class CercaError extends Error {
  constructor(request, status, problem, headers) {
    const requestId = headers?.get("X-Request-Id") ?? undefined;
    const head = [status, problem.code].filter(Boolean).join(" ");
    const detail = problem.detail ?? problem.title ?? "";
    super(`${request}: ${head}${head && ": "}${detail}${requestId ? ` (request ${requestId})` : ""}`);
    const seconds = headers?.get("Retry-After") ?? "";
    Object.assign(this, {
      name: "CercaError", request, status, code: problem.code, detail, errors: problem.errors ?? [], requestId,
      retryAfter: /^\d{1,5}$/.test(seconds) ? Number(seconds) : undefined,
      isTransient: [undefined, 429, 503].includes(status),
    });
  }
}

/** Parameters whose values are joined by commas instead of repeated. */
const joined = ["fields"];
/** `POST` requests that are safe to repeat: they change nothing, or nothing twice, because pings have times. */
const harmless = ["/v1/pings", "/v1/query", "/v1/events/tickets"];

/** 128 random bits; `randomUUID` is missing on pages over plain http. */
const drawn = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const isLoopback = (host) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

const wait = (seconds, signal) => new Promise((resolve, reject) => {
  signal?.throwIfAborted();
  const timer = setTimeout(() => {
    signal?.removeEventListener("abort", end);
    resolve();
  }, seconds * 1000);
  const end = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  signal?.addEventListener("abort", end, { once: true });
});

const written = (value) => value instanceof Date ? value.toISOString()
  : value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);

function* pairs(name, value) {
  if (name === "attr") {
    for (const [own, one] of Object.entries(value)) yield* pairs(`attr.${own}`, one);
  } else if (Array.isArray(value) && joined.includes(name)) {
    yield [name, value.map(written).join(",")];
  } else {
    for (const one of [value].flat()) yield [name, written(one)];
  }
}

/** The path and query of an endpoint such as `/v1/people/{id}`. */
export function target(path, parameters = {}) {
  const rest = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const own = path.replace(/\{(\w+)\}/g, (_, name) => {
    const text = String(rest[name] ?? "");
    delete rest[name];
    if (["", ".", ".."].includes(text)) {
      throw new TypeError(`${path}: '${name}' is ${text ? "not an id that a path can have" : "missing"}`);
    }
    return encodeURIComponent(text);
  });
  const query = Object.entries(rest).flatMap(([name, value]) => [...pairs(name, value)]);
  return own + (query.length ? "?" : "") + query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}

/** A client of a running service, with the identity of the caller. */
export class Cerca {
  #base;
  #token;
  #actingAs;
  #attempts;
  #timeout;

  constructor(url, { token, actingAs, attempts = 4, timeout = 60, cleartext = false } = {}) {
    const { protocol, hostname, username, password, search, hash, href } = new URL(url);
    if (!["http:", "https:"].includes(protocol)) throw new TypeError("The address must begin with https:// or http://");
    if (username || password || search || hash) {
      throw new TypeError("The address of the service may have no user, query or fragment");
    }
    if (token && protocol === "http:" && !cleartext && !isLoopback(hostname)) {
      throw new TypeError(`A token is not sent over plain http to ${hostname}: use https, or {cleartext: true}`);
    }
    this.#base = href.replace(/\/$/, "");
    [this.#token, this.#actingAs, this.#attempts, this.#timeout] = [token, actingAs, attempts, timeout];
  }

  async get(path, parameters) { return (await this.request("GET", path, { parameters })).body; }
  async post(path, body, parameters) { return (await this.request("POST", path, { body, parameters })).body; }
  async put(path, body, parameters) { return (await this.request("PUT", path, { body, parameters })).body; }
  async patch(path, body, parameters) { return (await this.request("PATCH", path, { body, parameters })).body; }
  async delete(path, parameters) { return (await this.request("DELETE", path, { parameters })).body; }

  /** Sends any request, and returns the whole answer: `status`, `headers`, `tag` and `body`. */
  async request(method, path, options = {}) {
    return this.#repeated(method, path, options, async (response) => {
      const text = await response.text();
      const isJSON = /[/+]json\b/.test(response.headers.get("Content-Type") ?? "");
      const body = !text ? undefined : isJSON ? JSON.parse(text) : text;
      const { status, headers } = response;
      return { status, headers, tag: headers.get("ETag") ?? undefined, body };
    });
  }

  /** The items of a list, whose pages are requested as needed. */
  async *items(path, parameters) {
    for await (const page of this.pages(path, parameters)) yield* page.items;
  }

  /** The pages of a list; a page may be empty although more follow. */
  async *pages(path, parameters) {
    let page;
    do {
      page = await this.get(path, { ...parameters, cursor: page?.cursor ?? parameters?.cursor });
      yield page;
    } while (page.cursor !== undefined);
  }

  /** Sends pings in batches, and returns a report of each; a ping without a time gets the current one. */
  async *sendBatches(pings, size = 1000) {
    const all = Array.from(pings);
    for (let from = 0; from < all.length; from += size) {
      const t = new Date();
      yield await this.post("/v1/pings", all.slice(from, from + size).map((ping) => ({ t, ...ping })));
    }
  }

  /** Events as they happen, after the event with an id, otherwise from now on; `reset` means that some are missing. */
  events(filters, { after, signal } = {}) { return this.follow("/v1/events", filters, { after, signal }); }

  /**
   * The messages of a stream as they arrive, until the service refuses: `type`, `data`, `id`.
   *
   * A stream that ends or breaks is reopened after its last message.
   */
  async *follow(path, parameters, { after, signal } = {}) {
    const state = { last: after === undefined ? undefined : String(after), pause: 3 };
    while (true) {
      const headers = { Accept: "text/event-stream", ...(state.last !== undefined && { "Last-Event-ID": state.last }) };
      const stop = new AbortController();
      const abort = () => stop.abort(signal.reason);
      signal?.throwIfAborted();
      signal?.addEventListener("abort", abort, { once: true });
      try {
        const options = { parameters, headers, signal: stop.signal };
        const response = await this.#repeated("GET", path, options, (response) => response, true);
        yield* messages(response.body.getReader(), state, this.#timeout);
      } finally {
        signal?.removeEventListener("abort", abort);
        stop.abort();
      }
      await wait(state.pause * (0.5 + Math.random() / 2), signal);
    }
  }

  /** Sends a request until `read` has read an answer, as often as it may be repeated. */
  async #repeated(method, path, options, read, isStream = false) {
    const { parameters, body, signal } = options;
    const headers = new Headers({ Accept: "application/json, */*;q=0.5", ...options.headers });
    const isRaw = typeof body === "string" || body instanceof Blob || ArrayBuffer.isView(body);
    if (body !== undefined && !isRaw && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
    const hasKey = method === "POST" && keyed.includes(path);
    if (hasKey && !headers.has("Idempotency-Key")) headers.set("Idempotency-Key", drawn());
    const isCareful = headers.has("If-Match") || headers.has("If-None-Match");
    const mayRepeat = !isCareful && (!["POST", "PATCH"].includes(method) || hasKey || harmless.includes(path));
    const address = this.#base + target(path, parameters);
    // Redirects are not followed, so that no other origin gets the token.
    const sent = { method, headers, body: isRaw ? body : JSON.stringify(body), redirect: "error" };
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(`${method} ${path}`, address, sent, read, signal, isStream);
      } catch (error) {
        const asked = error.retryAfter ?? 0;
        if (!error.isTransient || !mayRepeat || tries >= this.#attempts || asked > 30) throw error;
        await wait(asked + 0.2 * 2 ** (tries - 1) * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  async #once(name, address, sent, read, signal, isStream) {
    const headers = new Headers(sent.headers);
    const token = typeof this.#token === "function" ? await this.#token() : this.#token;
    try {
      if (token) headers.set("Authorization", `Bearer ${token}`);
    } catch {
      throw new TypeError("The token has characters that no header can have");
    }
    if (this.#actingAs) headers.set("Cerca-Acting-As", this.#actingAs);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error("it took too long")), this.#timeout * 1000);
    const abort = () => limit.abort(signal.reason);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const response = await fetch(address, { ...sent, headers, credentials: "omit", signal: limit.signal });
      if (!response.ok && response.status !== 304) {
        const problem = await response.json().catch(() => ({ detail: response.statusText }));
        throw new CercaError(name, response.status, problem, response.headers);
      }
      return await read(response);
    } catch (error) {
      if (error instanceof CercaError || signal?.aborted) throw signal?.aborted ? signal.reason : error;
      const reason = error.cause?.message ?? error.message;
      throw new CercaError(name, undefined, { detail: `No complete answer was received: ${reason}.` });
    } finally {
      clearTimeout(timer);
      // The signal continues to end a stream.
      if (!isStream) signal?.removeEventListener("abort", abort);
    }
  }
}

/** The messages of an open stream (Server-Sent Events, WHATWG) until it ends, breaks, or is silent for too long. */
async function* messages(reader, state, timeout) {
  const decoder = new TextDecoder();
  let [rest, fields] = ["", {}];
  while (true) {
    let timer;
    const silence = new Promise((done) => { timer = setTimeout(() => done({ done: true }), timeout * 1000); });
    // The stream is reopened, which throws its own errors.
    const { value, done } = await Promise.race([reader.read().catch(() => ({ done: true })), silence]);
    clearTimeout(timer);
    if (done) return;
    // A return at the end may be half of an end of line.
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      const [, name, text] = /^([^:]*)(?:: ?)?(.*)$/.exec(line);
      if (line) (fields[name] ??= []).push(text);
      if (line) continue;
      const { id, retry, event, data } = fields;
      fields = {};
      if (id) state.last = id.at(-1);
      if (/^\d{1,5}$/.test(retry?.at(-1))) state.pause = Number(retry.at(-1)) / 1000;
      if (data) yield { type: event?.at(-1) ?? "message", data: JSON.parse(data.join("\n") || "null"), id: state.last };
    }
  }
}
