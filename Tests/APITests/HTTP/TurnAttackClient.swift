import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// A load generator that does the worst that a person's limits permit.
///
/// Bea has the maximum number of the most costly fences, and friends with such fences about her. Ana of ``HeavyWorld``
/// uses every route. The writer's longest turn is checked after each request.
struct TurnAttackClient {
    private let server: TestServer
    private let monitor: WorkMonitor
    private let bearers: [BudgetRow.Caller: String]
    private let bea: String
    private(set) var requests = 0
    private(set) var pings = 0
    /// Total number of bytes in bodies.
    private(set) var bytes = 0

    private static let (friends, fencesAboutFriends) = (100, 3)

    init(_ server: TestServer, _ keys: TestKeys, _ monitor: WorkMonitor) async throws {
        (self.server, self.monitor) = (server, monitor)
        try await HeavyWorld(server, .small).build()
        let device = try await server.send("POST /v1/people/ana/devices", #"{"id":"phone"}"#, token: keys.person("ana"))
        let phone = String(try #require(device.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
        bearers = [.ana: keys.person("ana"), .luis: keys.person("luis"), .service: keys.service, .phone: phone]
        bea = keys.person("bea")
        try await befriend()
    }

    /// Gives Bea friends who watch her with combs, and an equal number who must be asked first.
    private func befriend() async throws {
        let bea = try PersonID("bea")
        let (watching, asked): ([PersonID], [PersonID]) = (
            try HeavyWorld.ids("friend", Self.friends), try HeavyWorld.ids("keeper", Self.friends)
        )
        let people = ([bea] + asked).map { id in
            var person = Person(id: id)
            person.sharing = Sharing(.exact)
            person.sharing.alerts = id == bea ? .friends : .asked
            return Write(person)
        }
        try await server.engine.perform(PutPeople(people), by: .service, at: morning)
        let friends = (watching + asked).map { MakeFriends(bea, $0) }
        for result in try await server.engine.perform(Batch(friends), by: .service, at: morning) {
            _ = try result.get()
        }
        let polygon = try Polygon(rings: [comb()])
        let fences = try watching.map { owner -> PutFence in
            var fence = Fence(id: try ID("comb"), .polygons([polygon]), watching: .people([bea]))
            (fence.owner, fence.margin) = (owner, 0)
            return PutFence(Write(fence))
        }
        for result in try await server.engine.perform(Batch(fences), by: .service, at: morning) { _ = try result.get() }
    }

    /// Sends a person's request, and checks the longest turn that it took.
    private mutating func send(_ row: BudgetRow, _ bearer: String) async throws -> TestServer.Reply {
        requests += 1
        pings += row.body?.ranges(of: #""lat":"#).count ?? 0
        bytes += row.body?.utf8.count ?? 0
        monitor.reset()
        let reply = try await server.send(
            row.request, row.body, type: row.type,
            headers: ["authorization": "Bearer \(bearer)", "accept": row.accept, "accept-encoding": "identity"])
        #expect(reply.status < 500, "\(row.name): \(reply.text.prefix(300))")
        let steps = monitor.longest(.turn)
        #expect(steps <= WorkBudget.stepsPerTurn, "\(row.name): \(steps) steps")
        return reply
    }

    /// Sends all requests to each route that can write.
    mutating func walkEveryRoute() async throws {
        // Phones also send positions by GET.
        let writing = server.endpoints.filter { !$0.hasPrefix("GET ") || $0.hasPrefix("GET /ingest/") }
        #expect(writing.count > 30)
        for endpoint in writing {
            let rows = BudgetRow.all.filter { $0.endpoint == endpoint && $0.request != "DELETE /v1/people/ana" }
            #expect(endpoint == "DELETE /v1/people/{id}" || !rows.isEmpty, "\(endpoint)")
            // The requests of services are also tried by a person.
            for row in rows where row.caller == .service { _ = try await send(row, try #require(bearers[.ana])) }
        }
        for row in BudgetRow.all where writing.contains(row.endpoint) && row.request != "DELETE /v1/people/ana" {
            _ = try await send(row, try #require(bearers[row.caller]))
        }
    }

    private mutating func put(_ fence: String, _ members: String) async throws -> Int {
        var row = BudgetRow("PUT /v1/people/{id}/fences/{fence}", "/v1/people/bea/fences/\(fence)", "{\(members)}")
        row.accept = "application/json"
        return try await send(row, bea).status
    }

    /// Makes combs and circles across one path, up to the maximum of fences not about friends; some fire once.
    mutating func fillFences() async throws {
        let ring = comb().map { String(format: "[%.4f,%.2f]", $0.longitude, $0.latitude) }.joined(separator: ",")
        let polygon = #""area":{"type":"Polygon","coordinates":[[\#(ring)]]}"#
        for number in 0..<(100 - Self.fencesAboutFriends) {
            let circle = #""area":{"lat":39.47,"lon":-0.375,"within_m":\#(200 + number)}"#
            let once = number.isMultiple(of: 3) ? #","once":true"# : ""
            #expect(try await put("own\(number)", (number < 9 ? polygon : circle) + once) == 201, "\(number)")
        }
        #expect(try await put("more", polygon) == 409, "corners count together")
    }

    /// Makes fences about 100 friends, and changes them repeatedly.
    mutating func askFriends(_ times: Int) async throws {
        let names = (0..<Self.friends).map { "\"keeper\($0)\"" }.joined(separator: ",")
        for time in 0..<times {
            for number in 0..<Self.fencesAboutFriends {
                let area = #""area":{"lat":39.47,"lon":-0.375,"within_m":\#(500 + time + number)}"#
                #expect(try await put("friends\(number)", "\(area),\"people\":[\(names)]") < 300)
            }
        }
        let questions = try server.store.inspect { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM events WHERE type = 'fence.asked'") ?? 0
        }
        #expect(questions == Self.fencesAboutFriends * Self.friends, "each is asked once about a fence")
    }

    /// Goes to and fro through all fences, with a file and then with one batch.
    mutating func travel(_ count: Int) async throws {
        let (file, batch) = (walk(count / 4, from: 0), walk(count, from: count / 4))
        let imports = BudgetRow("POST /v1/imports/tracks", "/v1/imports/tracks?person=bea", file)
        #expect(try await send(imports, bea).status == 200)
        let sent = try await send(BudgetRow("POST /v1/pings", "/v1/pings", batch), bea)
        #expect(sent.status == 200 && !sent.body.contains("unknown_person"), "\(sent.text.prefix(300))")
    }

    private func walk(_ count: Int, from first: Int) -> String {
        let start = Int(morning.milliseconds / 1000) - 30 * 86_400
        let pings = (first..<first + count).map { index in
            let place = besideComb[index % 2]
            return #"{"person":"bea","t":\#(start + index * 130),"lat":\#(place.latitude),"lon":\#(place.longitude)}"#
        }
        return "[\(pings.joined(separator: ","))]"
    }

    mutating func deletePerson() async throws {
        let row = BudgetRow("DELETE /v1/people/{id}", "/v1/people/bea")
        #expect(try await send(row, bea).status == 204)
    }

    /// Returns the stored amount: rows of all tables, bytes of the file, and the number of the last event.
    func held() throws -> (rows: Int, bytes: Int, lastEvent: Int64) {
        try server.store.inspect { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
            let rows = try tables.reduce(0) { sum, table in
                sum + (try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0)
            }
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            return (rows, pages * size, try Int64.fetchOne(db, sql: "SELECT number FROM last_event") ?? 0)
        }
    }

    /// Returns the number of events after `number` that each person caused, except by fences of services.
    func countedEvents(after number: Int64) throws -> [(person: String, count: Int)] {
        try server.store.inspect { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT people.id, count(*) FROM events JOIN people ON people.number = person
                    WHERE events.number > ? AND NOT (type LIKE 'fence.%' AND other IS NULL) GROUP BY person
                    """, arguments: [number])
            return rows.map { ($0[0], $0[1]) }
        }
    }
}
