// Checks client.js in node: node clients.mjs SERVICE WIRE TOKEN; see tools/clients.py and tools/wire.py.
import assert from "node:assert/strict";
import { Cerca, CercaError, target } from "./client.mjs";

const [, , url, wire, token] = process.argv;
const cerca = new Cerca(url, { token });
const at = (fault, options) => new Cerca(`${wire}/${fault}`, { token, ...options });
const seen = async (fault) => (await fetch(`${wire}/seen/${fault}`)).json();
const all = async (items) => {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
};
const refused = async (call) => {
  const error = await call.then(() => undefined, (error) => error);
  assert(error instanceof CercaError, error);
  assert(!`${error} ${error.stack} ${JSON.stringify(error)} ${error.cause}`.includes(token));
  return error;
};

async function pages() {
  const places = await all(cerca.items("/v1/places", { limit: 100, kind: "store" }));
  assert.equal(new Set(places.map((place) => place.id)).size, 1379);
  assert.equal((await all(cerca.pages("/v1/places", { limit: 100, kind: "store" }))).length, 14);
  const [first] = await all(cerca.items("/v1/places/nearest", { lat: 39.4699, lon: -0.3763, fields: ["id", "name"], limit: 1,
    in: { type: "Polygon", coordinates: [[[-0.38, 39.46], [-0.37, 39.46], [-0.37, 39.48], [-0.38, 39.46]]] } }));
  assert.deepEqual(Object.keys(first), ["id", "name"]);
}

async function retries() {
  const place = await at("lost.js-a").post("/v1/places", { kind: "bar", name: "Single" });
  const keys = (await seen("lost.js-a")).map((request) => request["idempotency-key"]);
  assert(keys.length === 2 && keys[0] === keys[1], keys);
  assert.deepEqual((await cerca.get("/v1/places", { kind: "bar", q: "single" })).items.map(({ id }) => id), [place.id]);
  const [report] = await all(at("lost.js-b").sendBatches([{ person: "luis", lat: 39.9, lon: -0.4 }]));
  assert.deepEqual(report.verdicts, ["duplicate"]);
  const error = await refused(at("lost.js-c").post("/v1/people/{id}/devices", { id: "tablet" }, { id: "ana" }));
  assert(error.status === undefined && error.isTransient && (await seen("lost.js-c")).length === 1, error);
  const once = at("lost.js-d").request("PUT", "/v1/people/{id}", {
    parameters: { id: "zoe" }, body: {}, headers: { "If-None-Match": "*" },
  });
  assert.equal((await refused(once)).status, undefined);
  assert.equal((await seen("lost.js-d")).length, 1);
  const begun = performance.now();
  await at("busy-1.js").get("/v1/places/{id}", { id: place.id });
  assert(performance.now() - begun > 1000, "Retry-After is respected");
  assert.equal((await refused(at("busy-31.js").get("/v1/places/{id}", { id: place.id }))).retryAfter, 31);
  assert.equal((await refused(new Cerca("http://127.0.0.1:1", { attempts: 1 }).get("/livez"))).status, undefined);
}

async function events() {
  const { cursor } = await cerca.get("/v1/events", { limit: 1000 });
  const names = ["js-0", "js-1", "js-2"];
  const found = [];
  await cerca.put("/v1/places/{id}", { kind: "bar", name: names[0] }, { id: names[0] });
  for await (const { data } of at("cut.js").events({ type: ["place.created"] }, { after: cursor })) {
    const next = names[found.push(data.place)];
    if (!next) break;
    await cerca.put("/v1/places/{id}", { kind: "bar", name: next }, { id: next });
  }
  assert.deepEqual(found, names);
  const starts = (await seen("cut.js")).map((request) => request["last-event-id"]);
  assert(starts[0] === cursor && starts.length >= 2 && starts[1] !== cursor, starts);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("enough")), 100);
  await assert.rejects(all(cerca.events({ type: "match.made" }, { signal: stop.signal })), /enough/);
}

async function secrets() {
  await refused(at("moved.js", { attempts: 1 }).get("/v1/places"));
  const missing = await refused(cerca.get("/v1/people/{id}", { id: "no-such-person" }));
  assert(missing.status === 404 && missing.code === "not_found" && missing.requestId, missing);
  assert(!`${JSON.stringify(cerca)} ${Object.entries(cerca)}`.includes(token));
  for (const host of ["http://cerca.example", "http://128.0.0.1", "http://localhost.example"]) {
    assert.throws(() => new Cerca(host, { token }), /plain http/);
  }
  for (const host of ["https://user:word@cerca.example", "ftp://cerca.example", "cerca.example", "https://a?b"]) {
    assert.throws(() => new Cerca(host), TypeError);
  }
  for (const host of ["http://[::1]:1", "http://localhost", "https://cerca.example"]) new Cerca(host, { token });
  new Cerca("http://cerca.example", { token, cleartext: true });
  await assert.rejects(new Cerca(url, { token: "bad\nword" }).get("/livez"), (error) => !error.message.includes("word"));
  for (const id of ["", ".", ".."]) await assert.rejects(cerca.delete("/v1/people/{id}", { id }), TypeError);
  assert.equal(target("/v1/{id}", { id: "a/b?c=d", q: "e&f=g" }), "/v1/a%2Fb%3Fc%3Dd?q=e%26f%3Dg");
  const { tag, status } = await cerca.request("GET", "/v1/people/{id}", { parameters: { id: "ana" } });
  assert(status === 200 && tag, tag);
  const same = await cerca.request("GET", "/v1/people/{id}", { parameters: { id: "ana" }, headers: { "If-None-Match": tag } });
  assert.equal(same.status, 304);
  const file = { parameters: { kind: "places" }, body: "id,kind,name\njs,bar,J\n", headers: { "Content-Type": "text/csv" } };
  assert.equal((await cerca.request("POST", "/v1/imports/{kind}", file)).body.created, 1);
}

for (const check of [pages, retries, events, secrets]) await check();
console.log("4 parts");
process.exit();
