// Calls of the JavaScript client that its types accept, and some that they must refuse.
import { Cerca } from "./client";

export async function walk(cerca: Cerca) {
  await cerca.put("/v1/people/{id}", { name: "Ana" }, { id: "ana" });
  await cerca.post("/v1/pings", { lat: 39.4, lon: -0.3 });
  await cerca.delete("/v1/people/{id}/friends/{other}", { id: "ana", other: "luis" });
  await cerca.get("/v1/places", { kind: "store", attr: { "rating.gte": 4 }, fields: ["id"], open_at: new Date() });
  const names: (string | undefined)[] = [];
  const stores = cerca.items("/v1/stores/nearest", { lat: 39.4, lon: -0.3, color: ["red"], "store.category": "shoes" });
  for await (const store of stores) names.push(store.name);
  for await (const { data } of cerca.events({ type: "fence.enter" })) names.push(data.person);
  // @ts-expect-error: there is no such path
  await cerca.get("/v1/persons");
  // @ts-expect-error: the path has an id
  await cerca.get("/v1/people/{id}");
  // @ts-expect-error: there is no such parameter
  await cerca.get("/v1/places", { colour: "red" });
  // @ts-expect-error: a number
  cerca.items("/v1/places/nearest", { lat: "north", lon: 0 });
  // @ts-expect-error: a person has no such member
  await cerca.put("/v1/people/{id}", { nam: "Ana" }, { id: "ana" });
  // @ts-expect-error: an export is no list
  cerca.items("/v1/exports/{kind}", { kind: "places" });
}
