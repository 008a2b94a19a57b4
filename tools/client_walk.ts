// README's requests, sent by a client generated from /openapi.json; see tools/api.
import {
    Configuration, FriendsApi, PlacesApi, PositionsApi, ResponseError, StoresApi, StrangersApi,
} from "./client";

declare const process: { argv: string[], exit(code: number): void };

function expect(holds: boolean, found: unknown) {
    if (!holds) throw new Error(JSON.stringify(found));
}

async function walk(url: string, token: string) {
    const cerca = new Configuration({ basePath: url, accessToken: token });
    const friends = await new FriendsApi(cerca).findNearestFriends({ id: "ana", limit: 2 });
    expect(friends.items.map(friend => friend.id).join() === "luis,sergio", friends);
    const stores = await new StoresApi(cerca).findNearestStores({
        lat: 39.4699, lon: -0.3763, category: ["pump"], color: ["red"], size: ["EU:37"], priceMax: 6000, currency: "EUR",
        openAt: new Date("2026-11-21T11:00:00Z"), limit: 1,
    });
    const [store] = stores.items;
    expect(store.id === "zapateria-0136" && store.products?.[0].price === 4950, stores);
    const strangers = await new StrangersApi(cerca).discoverPeople({ id: "ana", withinM: 10000, ageMax: 40, limit: 1 });
    expect(/^<\d+km$/.test(strangers.items[0].distance ?? ""), strangers);
    const report = await new PositionsApi(cerca).recordPings({
        recordPingsRequest: { person: "ana", t: "2026-11-25T10:00:00Z", lat: 39.4851, lon: -0.3868 },
    });
    expect(report.verdicts?.[0] === "stored", report);
    const mistake = await new PlacesApi(cerca).findNearestPlaces({ lat: 139, lon: -0.4 }).catch(error => error);
    expect(mistake instanceof ResponseError && (await mistake.response.json()).code === "invalid_parameter", mistake);
    console.log("5 requests");
}

walk(process.argv[2], process.argv[3]).catch(error => {
    console.error(error);
    process.exit(1);
});
