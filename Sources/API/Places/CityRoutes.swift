internal import Cities
internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange

/// Cities by the beginning of their name, or by distance.
struct CityRoutes {
    let live: Live

    func add(to routes: inout RouteTable) {
        let search = QuestionRoute(
            member: "list", word: "cities", path: "/v1/cities", access: .known,
            parameters: ["q", "lat", "lon", "limit", "fields"])
        routes.ask(search, of: live, search(for:))
    }

    private static let columns = ["name", "country", "lat", "lon", "population", "timezone", "distance_m"]

    @Sendable private func search(for call: Call) async throws -> Question {
        let limit = try call.query.limit()
        let columns = try call.query.columns(of: Self.columns)
        let name = try call.searched("q", longest: 200)?.trimmingCharacters(in: .whitespaces)
        if name?.isEmpty ?? false { throw call.wordless }
        let hasPlace = ["lat", "lon"].contains { call.query.text($0) != nil }
        guard (name == nil) == hasPlace else {
            throw Problem(
                .invalidParameter, detail: "Either 'q', the beginning of a name, or 'lat' and 'lon' are required.")
        }
        let cities: [CityNearby]
        if let name {
            let named = live.gazetteer.cities(beginningWith: name, limit: limit)
            cities = named.map { CityNearby(city: $0, decimetres: nil) }
        } else {
            cities = live.gazetteer.cities(nearestTo: try call.query.place(), limit: limit)
        }
        return Question(
            answer: Listing(
                items: cities, columns: columns, place: { $0.city.coordinate }, write: { $0.city($1) }
            ).answer(to: call))
    }
}
