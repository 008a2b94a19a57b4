import Geo
import Laws

/// A request by Eve or by her phone.
struct UnseenRequest: Sendable {
    /// Method and address.
    var line: String
    var body: String?
    var type = "application/json"
    var accept = "application/json"
    var isOfPhone = false
    /// The endpoint and the parameter that the request tries; nil if it has only those that the endpoint requires.
    var tried: String?

    init(_ line: String, _ body: String? = nil) { (self.line, self.body) = (line, body) }
}

/// The requests of a walk along every endpoint of the service, including new ones.
struct UnseenRequests {
    private static let here = ["lat": "\(UnseenWorld.middle.latitude)", "lon": "\(UnseenWorld.middle.longitude)"]
    /// Sample values of parameters and path components, except those that stand for a person; other parameters have
    /// their described examples, and the rest is `a`.
    private static let samples = here.merging([
        "within_m": "9000", "at": "2026-11-20T09:55:00Z", "open_at": "2026-11-20T12:00:00Z", "limit": "1",
        "datetime": "2026-11-20T00:00:00Z/..", "q": "victim", "email": "a@example.com", "bbox": "-1,39,0,40",
        "sort": "name", "count": "true", "open_now": "true", "dry_run": "true", "explain": "true", "age_min": "20",
        "age_max": "40", "sex": "female", "relationship": "single", "type": "fence.enter,near.enter,group.joined",
        "kind": "topic", "facet": "kind", "contains": "39.47,-0.376", "fields": "id", "group": "!team",
        "place": "plaza", "product": "pump", "fence": "watch", "store": "store", "device": "watch",
        "beyond_m": "10", "max_age_s": "86400", "simplify_m": "10", "zoom": "14", "in": square, "price_min": "1",
        "price_max": "100000", "currency": "EUR", "size": "EU:39", "delimiter": "semicolon", "spreadsheet": "true",
        "f": "json", "z": "1", "x": "0", "y": "0", "comment": "of-\(UnseenWorld.blocker)", "feature": "plaza",
    ]) { own, _ in own }
    /// A square around the middle.
    private static let square =
        "%7B%22type%22:%22Polygon%22,%22coordinates%22:%5B%5B%5B-1,39%5D,%5B0,39%5D,%5B0,40%5D,%5B-1,40%5D,%5B-1,39%5D%5D%5D%7D"
    /// Samples that only one endpoint takes.
    private static let special = [
        "GET /v1/products/facets?facet": "brand", "GET /v1/stores/nearest?sort": "price",
        "GET /v1/cities?fields": "name",
    ]
    /// The required parameters that a parameter replaces.
    private static let exclusive = ["in": ["bbox"], "email": ["q"]]
    /// The parameters that stand for a person.
    private static let people: Set = ["person", "with", "owner", "by", "other", "for"]
    /// The parameters without which a request is refused.
    private static let basic = ["lat", "lon", "within_m", "with", "bbox", "q", "person"]
    /// Requests that end the walk or Eve's access come last.
    private static let lasting = ["DELETE ", "PUT /v1/people/{id}/blocks/{other}"]

    let parameters: [String: [String]]
    private let examples: [String: [String: String]]
    private var count = 0

    init(_ server: TestServer) { (parameters, examples) = (server.parameters, server.described.examples) }

    /// Returns some of the people whom Eve asks about, different ones each time; the full run has all.
    private mutating func victims() -> [String] {
        count += 1
        let all = UnseenWorld.victims
        return (0..<RandomCases.count(1, all: all.count)).map { all[(count + $0) % all.count] }
    }

    /// Returns all requests that only read, with each of the parameters if `withParameters`.
    mutating func reading(withParameters: Bool) -> [UnseenRequest] {
        parameters.keys.sorted().filter { $0.hasPrefix("GET ") && !$0.contains("/ingest/") }.flatMap { name in
            var requests: [UnseenRequest] = []
            for victim in victims() {
                let names = parameters[name] ?? []
                // Only one collection has people, and it is for services.
                let isOfPlaces = name.contains("/collections/")
                let base = names.filter { Self.basic.contains($0) && !(isOfPlaces && $0 == "person") }
                let others = names.filter { !base.contains($0) && $0 != "cursor" && $0 != "ticket" }
                for further in [[]] + (withParameters ? others.map { [$0] } : []) {
                    let query = query(base + further, of: name, victim)
                    for path in paths(name, victim) {
                        var request = UnseenRequest(path + query)
                        request.tried = further.first.map { "\(name)?\($0)" }
                        requests.append(request)
                    }
                }
            }
            return requests
        }
    }

    /// Returns all requests that write: those that delete or block if `lasting`, or the others.
    mutating func writing(lasting isLasting: Bool) -> [UnseenRequest] {
        let names = parameters.keys.sorted().filter { name in
            !name.hasPrefix("GET ") && Self.lasting.contains(where: name.hasPrefix) == isLasting
        }
        // Eve's own deletion is last.
        return names.sorted { $1 == "DELETE /v1/people/{id}" && $0 != $1 }.flatMap { name in
            victims().flatMap { victim in
                Self.bodies(name, victim).flatMap { body in
                    paths(name, victim).map { path in
                        let names = parameters[name] ?? []
                        let given = names.contains("datetime") ? ["datetime"] : names.filter { $0 == "person" }
                        var request = UnseenRequest(path + query(given, of: name, victim), body)
                        if name.hasPrefix("PATCH") { request.type = "application/merge-patch+json" }
                        return request
                    }
                }
            }
        }
    }

    /// The paths of an endpoint: Eve's own, and a victim's if no other person is in the path.
    private func paths(_ name: String, _ victim: String) -> [String] {
        let isOfPeople = name.contains("/people/{id}")
        func path(_ own: String) -> String {
            var path = name
            for part in name.matches(of: #/\{([a-z]+)\}/#).map({ String($0.1) }) {
                let sample = part == "id" ? id(name, own) : Self.people.contains(part) ? victim : Self.samples[part]
                path = path.replacing("{\(part)}", with: sample ?? "a")
            }
            return path.replacing("favourites/topic", with: "favourites/people").replacing("/**", with: "/x")
        }
        // Deletion of others is left out, because its answers show no more than the first.
        let isOfOthers = isOfPeople && !name.hasSuffix("DELETE /v1/people/{id}")
        return isOfOthers ? [path("eve"), path(victim)] : [path("eve")]
    }

    private func id(_ name: String, _ own: String) -> String {
        switch name.split(separator: "/").dropFirst(2).first {
        case "people": own
        case "groups": "!team"
        case "places": name.hasPrefix("GET") || name.contains("comments") ? "plaza" : "!own"
        case "collections": "places_topic"
        case "stores": "store"
        case "products": "pump"
        default: "a"
        }
    }

    private func query(_ names: [String], of endpoint: String, _ victim: String) -> String {
        // Tracks of others are refused.
        let whom = endpoint.hasSuffix("/tracks") ? "eve" : victim
        let compared = names.contains { $0.hasPrefix("price_") } || endpoint == "GET /v1/stores/nearest"
        let without =
            names.compactMap { Self.exclusive[$0] }.joined() + (endpoint == "GET /v1/cities" ? ["lat", "lon"] : [])
        let values = (names + (compared && !names.contains("currency") ? ["currency"] : [])).compactMap { name in
            if without.contains(name) { return nil as String? }
            let sample = Self.special["\(endpoint)?\(name)"] ?? Self.samples[name]
            let value = Self.people.contains(name) ? whom : sample ?? examples[endpoint]?[name]
            return "\(name.replacing(".*", with: ".texts"))=\(value ?? "a")"
        }
        return values.isEmpty ? "" : "?\(values.joined(separator: "&"))"
    }

    /// The possible bodies of a request, as in the tables of requests, with Eve instead of Ana, and a victim.
    private static func bodies(_ name: String, _ victim: String) -> [String?] {
        switch name {
        case "PUT /v1/people/{id}": return [#"{"name":"Eve","born":"1996-05-01","discoverable":true}"#]
        case "PATCH /v1/people/{id}": return [#"{"about":"So"}"#]
        case "POST /v1/query":
            return BudgetRow.queries.map { query in
                "{\"queries\":[\(query)]}".replacing("ana\"", with: "eve\"").replacing("friend0", with: victim)
            }
        default:
            // Groups of one name would be in the order of their random ids.
            let body = CallerRows.all.first { $0.endpoint == name }?.body?.replacing("\"New\"", with: "\"\(victim)\"")
            return [body?.replacing("\"ana\"", with: "\"eve\"").replacing("\"eva\"", with: "\"\(victim)\"")]
        }
    }

    // MARK: - Events about others

    /// Fences about all people whom Eve is not shown, and enough of her own that all fences are searched.
    static var fences: [UnseenRequest] {
        let (lat, lon) = (UnseenWorld.middle.latitude, UnseenWorld.middle.longitude)
        func put(_ id: String, _ body: String) -> UnseenRequest {
            UnseenRequest("PUT /v1/people/eve/fences/\(id)", body)
        }
        let friends = UnseenWorld.friends.map { "\"\($0)\"" }.joined(separator: ",")
        let circle = #""area":{"lat":\#(lat),"lon":\#(lon),"within_m":"#
        return [
            put("near", #"{"near":{"who":[\#(friends)],"within_m":1000}}"#),
            put("close", #"{"near":{"who":[\#(friends)],"within_m":200}}"#),
            put("all", #"{"near":{"who":"friends","within_m":500}}"#),
            put("there", #"{\#(circle)400},"people":[\#(friends)]}"#),
            put("quiet", #"{"people":[\#(friends)],"on":["silent"],"silent_s":3600}"#),
        ] + (1...5).map { put("own\($0)", #"{\#(circle)\#(100 * $0)}}"#) }
    }

    /// A fence about a group, which a person may have instead of the one about all friends.
    static var fenceOfGroup: UnseenRequest {
        UnseenRequest("PUT /v1/people/eve/fences/all", #"{"near":{"who":{"group":"!team"},"within_m":500}}"#)
    }

    /// Positions of Eve, by herself and by her phone, and reads of the events that follow.
    static func upload(_ round: Int, at time: Int64) -> [UnseenRequest] {
        let north = Double(round % 3) * 700
        func ping(_ metres: Double, _ time: Int64) -> String {
            let place = Trilateration.shifted(UnseenWorld.middle, north + metres, 0)
            return #"{"lat":\#(place.latitude),"lon":\#(place.longitude),"t":\#(time),"accuracy_m":5}"#
        }
        let batch = (0..<40).map { ping(Double($0), time - 40_000 + Int64($0) * 1000) }.joined(separator: ",")
        var phone = UnseenRequest(
            "POST /ingest/owntracks", #"{"_type":"location","lat":39.47,"lon":-0.376,"tst":\#(time / 1000),"tid":"E"}"#)
        phone.isOfPhone = true
        return [
            UnseenRequest("POST /v1/pings", ping(0, time + 11_000)), UnseenRequest("POST /v1/pings", "[\(batch)]"),
            phone, UnseenRequest("GET /v1/events?limit=1000"), UnseenRequest("GET /v1/people/eve/friends/nearest"),
            UnseenRequest("GET /v1/people/eve/discovery"),
        ]
    }
}
