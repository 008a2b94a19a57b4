internal import Cities
internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange

/// Cities by name prefix or distance.
struct CityRoutes {
    let engine: Engine

    func add(to routes: inout RouteTable) {
        routes.chapter = "Places"
        let search = RouteDescription(
            "Finds cities by the beginning of their name, or near a point", as: "findCities",
            [
                Self.name.example(.text("valen")), Call.optionalLatitude, Call.optionalLongitude, Paging.limit,
                Self.fields,
            ],
            answers: .page(of: .city, named: "City", onMap: true))
        routes.ask(
            QueryRoute(member: "list", word: "cities", path: "/v1/cities", access: .known, description: search),
            of: engine, self.search(for:))
    }

    private static let name = Parameter.searched("q", longest: 200, "the beginning of the name")
    private static let fields = Paging.fields([
        "name", "country", "lat", "lon", "population", "timezone", "distance_m",
    ])

    @Sendable private func search(for call: Call) async throws -> Query {
        let limit = try call[Paging.limit]
        let fields = try call[Self.fields]
        let name = try call[Self.name]?.trimmingCharacters(in: .whitespaces)
        if name?.isEmpty ?? false { throw call.wordless }
        let hasPlace = try call[Call.optionalLatitude] != nil || call[Call.optionalLongitude] != nil
        guard (name == nil) == hasPlace else {
            throw Problem(
                .invalidParameter, detail: "Either 'q', the beginning of a name, or 'lat' and 'lon' are required.")
        }
        let cities: [CityNearby]
        if let name {
            let named = engine.gazetteer.cities(beginningWith: name, limit: limit)
            cities = named.map { CityNearby(city: $0, decimetres: nil) }
        } else {
            cities = engine.gazetteer.cities(nearestTo: try call.query.place(), limit: limit)
        }
        return Query(
            answer: PageAnswer(
                items: cities, columns: fields, place: { $0.city.coordinate }, write: { $0.city($1) }
            ).answer(to: call))
    }
}
