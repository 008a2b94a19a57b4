internal import Interchange
internal import Model

extension Schema {
    private static let hours = prose(0...1000)
    /// A GeoJSON position, possibly with an altitude and further numbers.
    private static let vertex = list(of: number(), atLeast: 2)
        .with("prefixItems", .list([.object(longitude.json), .object(latitude.json)]))
    private static let rings = list(of: list(of: vertex, atLeast: 4), atLeast: 1)
    /// The radius of a circle or a corridor, in meters.
    static let areaWidth = number(1...Fence.widest)

    /// A circle, a GeoJSON area, or a line with a width.
    static let area = either(
        form(["lat": latitude, "lon": longitude, "within_m": areaWidth], required: ["lat", "lon", "within_m"]),
        form(["type": words(["Polygon"]), "coordinates": rings], required: ["type", "coordinates"]),
        form(
            ["type": words(["MultiPolygon"]), "coordinates": list(of: rings, atLeast: 1)],
            required: ["type", "coordinates"]),
        form(
            ["type": words(["LineString"]), "coordinates": list(of: vertex, atLeast: 2), "within_m": areaWidth],
            required: ["type", "coordinates", "within_m"])
    ).named("Area")

    /// A place in a request; members that answers add may be sent back, and are ignored.
    private static let placeMembers = [
        "id": id, "kind": prose(1...64), "name": prose(1...500), "lat": latitude, "lon": longitude,
        "address": prose(0...1000), "category": prose(0...100), "tags": list(of: prose(1...200), atMost: 100),
        "hours": hours, "timezone": prose(1...64), "owner": id, "attributes": attributes, "area": area,
        "created": anything,
        "favourites": anything, "city": anything, "hours_understood": anything, "hours_on_holidays": anything,
        "hours_warnings": anything, "timezone_guessed": anything,
    ]
    static let placeForm = placeForm(placeMembers).named("PlaceForm")
    /// A new place, whose id the server chooses.
    static let newPlaceForm = placeForm(placeMembers.filter { $0.key != "id" }).named("NewPlaceForm")
    static let placePatch = form(placeMembers, lasting: ["kind", "name"]).named("PlacePatch")

    private static func placeForm(_ members: [String: Schema]) -> Schema {
        form(members, required: ["kind", "name"]).together("lat", "lon")
    }

    static let city = object([
        "name": text(), "country": text(), "lat": latitude, "lon": longitude, "population": count, "timezone": text(),
        "distance_m": number(),
    ]).named("City")

    private static let placeAnswer = [
        "id": id, "kind": text(), "name": text(), "lat": latitude, "lon": longitude, "address": text(),
        "category": text(), "tags": list(of: text()), "hours": text(), "timezone": text(), "owner": id,
        "attributes": attributes, "area": area, "hours_understood": flag, "hours_on_holidays": words(["unknown"]),
        "hours_warnings": list(of: text()), "timezone_guessed": text(), "created": time, "favourites": count,
        "city": city, "distance_m": number(), "bearing": integer(0...360), "open": flag, "opens_at": time,
        "closes_at": time, "since": time,
    ]
    /// A place, with its distance if requested, and whether it is open if known.
    static let place = object(placeAnswer).named("Place")

    /// The places in a cell of a map, with id, kind and name if there is only one.
    static let placeCluster = object(
        ["count": count, "lat": latitude, "lon": longitude, "id": id, "kind": text(), "name": text()],
        required: ["count", "lat", "lon"]
    ).named("PlaceCluster")

    /// A store with the requested products that it has.
    static let store = object(placeAnswer.merging(["products": list(of: offer)]) { own, _ in own }).named("Store")

    private static let offer = object([
        "id": id, "brand": text(), "name": text(), "price": count, "currency": currency, "sizes": map(of: count),
        "quantity": count, "photo": url,
    ]).named("Offer")
}
