internal import Algorithms
internal import Foundation
internal import Synchronization

/// An attack pattern with which a person may impair the service for others.
struct SiegeWay: Sendable {
    let name: String
    /// Number of concurrent requests per person.
    var clients = 4
    /// The preparation by each person.
    var prepare: @Sendable (AttackClient) async throws -> Void = { _ in }
    /// The repeated action of each of a person's clients.
    var attack: @Sendable (AttackClient, _ client: Int) async -> Void
    /// The repeated action of a service during the attack.
    var meanwhile: (@Sendable (AttackClient) async -> Void)?
    /// The cleanup by each person.
    var end: @Sendable (AttackClient) async -> Void = { _ in }

    static let all =
        [
            peace, timetable, suspects, placesWithHours, erasures, slowBodies, documents, json, polygons, batches,
            values, unread, deletion,
        ] + fences

    private static let here = "lat=39.47&lon=-0.376"

    private static let peace = SiegeWay(name: "peace", clients: 1) { _, _ in
        try? await Task.sleep(for: .seconds(3600))
    }

    /// Hours with dates by which the person is always visible, and an old first position.
    private static let timetable = SiegeWay(name: "timetable") { person in
        let spans = (0..<70).map { span in
            let (hour, minute) = span.quotientAndRemainder(dividingBy: 30)
            return String(format: "%02d:%02d-%02d:%02d", hour, 2 * minute, hour, 2 * minute + 1)
        }
        let hours = "week 1-53 00:00-24:00,\(spans.joined(separator: ","))"
        await person.send(
            "PUT /v1/people/\(person.name)",
            #"{"sharing":{"precision":"exact","hours":"\#(hours)","timezone":"Europe/Madrid"}}"#)
        await person.send(
            "POST /v1/pings", #"{"person":"\#(person.name)","t":"1970-01-02T00:00:00Z","lat":39.47,"lon":-0.376}"#)
    } attack: { person, _ in
        await person.send("GET /v1/people/\(person.name)/friends/nearest")
        await person.send(
            "POST /v1/pings", #"{"person":"\#(person.name)","t":"1970-01-02T00:01:00Z","lat":39.47,"lon":-0.376}"#)
    }

    /// Batches of positions that alternate between two continents.
    private static let suspects = SiegeWay(name: "suspects", clients: 2) { person, client in
        await person.send("POST /v1/pings", as: client) {
            pings(of: person, from: person.next() * 10_000, every: 130) { $0 / 3 % 2 == 0 ? 39.47 : -39.47 }
        }
    }

    /// Places with hours that have dates but never change the state.
    private static let placesWithHours = SiegeWay(name: "hours") { person in
        for number in 0..<100 {
            await person.send(
                "PUT /v1/places/\(person.name)-hours-\(number)",
                #"{"kind":"topic","name":"H","owner":"\#(person.name)","lat":39.47,"lon":\#(-0.376 + Double(number) * 1e-6),"timezone":"Europe/Madrid","hours":"week 1-53 00:00-24:00,00:01-00:02,00:03-00:04,00:05-00:06"}"#
            )
        }
    } attack: { person, _ in
        await person.send("GET /v1/places/nearest?\(here)&limit=100")
    }

    /// Places created and deleted while a service sends many positions.
    private static let erasures = SiegeWay(name: "erasures") { person, client in
        let place = "/v1/places/\(person.name)-brief-\(client)"
        await person.send("PUT \(place)", #"{"kind":"topic","name":"B","owner":"\#(person.name)"}"#)
        await person.send("DELETE \(place)")
    } meanwhile: { backend in
        let step = backend.next()
        let pings = (0..<2000).map { index in
            #"{"person":"crowd\#(index)","t":\#(1_400_000_000 + step * 130),"lat":\#(short(Double(step % 10_000) * 0.005_4, 6)),"lon":\#(index % 180)}"#
        }
        await backend.send("POST /v1/pings", "[\(pings.joined(separator: ","))]")
    }

    /// Bodies that arrive byte by byte.
    private static let slowBodies = SiegeWay(name: "slow bodies", clients: 1) { person in
        let head =
            "POST /v1/pings HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(person.token)\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n["
        open(500, by: person, sending: head)
    } attack: { person, _ in
        person.sockets.withLock { sockets in for socket in sockets { _ = socket.send([0x20]) } }
        try? await Task.sleep(for: .seconds(5))
    } end: {
        close($0)
    }

    /// Places with the maximum number of words.
    private static let documents = SiegeWay(name: "documents") { person, client in
        let number = person.next()
        await person.send("PUT /v1/places/\(person.name)-large-\(number)", as: client) {
            let texts = (0..<100).map { _ in #""\#(String(repeating: "x", count: 200))""# }.joined(separator: ",")
            let attributes = (0..<64).map { #""a\#($0)":[\#(texts)]"# }.joined(separator: ",")
            return
                #"{"kind":"topic","name":"L","owner":"\#(person.name)","lat":39.47,"lon":-0.376,"attributes":{\#(attributes)}}"#
        }
        if number % 10 == 0 { await person.send("GET /v1/places/nearest?\(here)&limit=100") }
    }

    /// Bodies that are small as text and large as values, half of them of the maximum size for people.
    private static let json = SiegeWay(name: "json") { person, client in
        await person.send("POST /v1/pings", as: client) {
            let item = client.isMultiple(of: 2) ? "{}," : "0,"
            let count = (client < 2 ? 8 << 20 : 1 << 20) / item.utf8.count - 2
            return "[\(String(repeating: item, count: count))0]"
        }
    }

    /// Polygons of many vertices around many places, in bodies of the maximum size for people.
    private static let polygons = SiegeWay(name: "polygons") { person, client in
        await person.send("POST /v1/query", as: client) {
            let ring = (0..<9999).map { index in
                let angle = Double(index) / 9999 * 2 * Double.pi
                let radius = index.isMultiple(of: 2) ? 0.5 : 0.2
                return "[\(short(-0.376 + radius * cos(angle), 6)),\(short(39.47 + radius * sin(angle), 6))]"
            }
            let polygon = #"{"type":"Polygon","coordinates":[[\#((ring + ring.prefix(1)).joined(separator: ","))]]}"#
            let query = #"{"nearest":"places","lat":39.47,"lon":-0.376,"attr.none":"1","in":\#(polygon)}"#
            return #"{"queries":[\#(Array(repeating: query, count: 4).joined(separator: ","))]}"#
        }
    }

    /// Batches of positions that are all too close to be stored.
    private static let batches = SiegeWay(name: "batches", clients: 20) { person, client in
        await person.send("POST /v1/pings", as: client) {
            pings(of: person, from: person.next() * 10_000, every: 1) { _ in 39.47 }
        }
    }

    /// Filters with very many values, half of them in bodies of the maximum size for people.
    private static let values = SiegeWay(name: "values") { person, client in
        await person.send("POST /v1/query", as: client) {
            let values = (0..<(client < 2 ? 500_000 : 90_000)).map { "value\($0)" }.joined(separator: ",")
            return #"{"queries":[{"list":"places","category":"\#(values)"}]}"#
        }
    }

    /// Pipelined requests whose responses are never read.
    private static let unread = SiegeWay(name: "unread", clients: 1) { person in
        open(60, by: person, sending: "")
    } attack: { person, _ in
        let request =
            "GET /v1/places/nearest?\(here)&limit=100 HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(person.token)\r\n\r\n"
        let many = Array(String(repeating: request, count: 50).utf8)
        person.sockets.withLock { sockets in for socket in sockets { _ = socket.send(many) } }
        try? await Task.sleep(for: .milliseconds(200))
    } end: {
        close($0)
    }

    /// The deletion of a person with a long history.
    private static let deletion = SiegeWay(name: "deletion", clients: 1) { person, _ in
        await person.send("DELETE /v1/people/\(person.name)")
        try? await Task.sleep(for: .seconds(3600))
    }

    private static func pings(
        of person: AttackClient, from first: Int, every seconds: Int, _ latitude: (Int) -> Double
    ) -> String {
        let pings = (first..<first + 10_000).map { index in
            #"{"person":"\#(person.name)","t":\#(1_000_000_000 + index * seconds),"lat":\#(latitude(index)),"lon":-0.376}"#
        }
        return "[\(pings.joined(separator: ","))]"
    }

    private static func open(_ count: Int, by person: AttackClient, sending text: String) {
        // Addresses other than the measured callers'.
        let source = person.name == "one" ? "127.0.0.2" : "127.0.0.3"
        let bytes = Array(text.utf8)
        person.sockets.withLock { sockets in
            for _ in 0..<count {
                guard let socket = SiegeSocket(from: source, to: person.base) else { continue }
                if !bytes.isEmpty { _ = socket.send(bytes) }
                sockets.append(socket)
            }
        }
    }

    private static func close(_ person: AttackClient) { person.sockets.withLock { $0 = [] } }
}

/// The data of the service under siege.
struct SiegeTown {
    let places: Int
    let positions: Int

    func fill(by backend: AttackClient) async throws {
        let people = ["one", "two", "walker", "seeker", "leaver0", "leaver1"] + (0..<2000).map { "crowd\($0)" }
        try await backend.fill("/v1/imports/people", people.map { #"{"id":"\#($0)","sharing":"exact"}"# })
        await backend.send("PUT /v1/people/one/friends/two")
        await backend.send("PUT /v1/people/two/friends/one")
        // Some people must be asked before a fence may watch them.
        let asked = (0..<100).map { "crowd\($0)" }
        for name in asked {
            let sharing = #"{"sharing":{"precision":"exact","alerts":"asked"}}"#
            await backend.send("PATCH /v1/people/\(name)", sharing, type: "application/merge-patch+json")
        }
        let friends = ["one", "two"].flatMap { person in asked.map { #"{"a":"\#(person)","b":"\#($0)"}"# } }
        try await backend.fill("/v1/imports/friends", friends)
        let rows = (0..<places).map { number in
            let (latitude, longitude) = (39 + Double(number % 1000) * 0.001, -0.9 + Double(number / 1000) * 0.05)
            return
                #"{"id":"p\#(number)","kind":"topic","name":"P","lat":\#(short(latitude, 4)),"lon":\#(short(longitude, 4))}"#
        }
        try await backend.fill("/v1/imports/places", rows)
        for leaver in ["leaver0", "leaver1"] {
            for indices in (0..<positions).chunks(ofCount: 10_000) {
                let pings = indices.map { index in
                    #"{"person":"\#(leaver)","t":\#(1_200_000_000 + index * 130),"lat":\#(short(Double(index % 10_000) * 0.005_4, 6)),"lon":3}"#
                }
                try await backend.fill("/v1/pings", "[\(pings.joined(separator: ","))]", type: "application/json")
            }
        }
    }
}

extension AttackClient {
    fileprivate func fill(_ path: String, _ rows: [String]) async throws {
        try await fill(path, rows.joined(separator: "\n"), type: "application/x-ndjson")
    }

    fileprivate func fill(_ path: String, _ body: String, type: String) async throws {
        let reply = await send("POST \(path)", body, type: type)
        guard reply.status == 200 else { throw MeasurementError("\(path): \(reply.status) \(reply.body.prefix(300))") }
    }
}
