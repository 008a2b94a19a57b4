import Discovery
import Foundation
import GRDB
import Model
import NIOHTTP1
import Storage
import TestSupport
import Testing

/// Data about a person: all of it is exported to the person, and none is left after deletion.
@Suite struct PersonExportTests {
    /// Zelda has data of every kind.
    private func withZelda(_ body: (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            for name in ["zelda0x", "luis", "eva", "bea", "old", "wim"] {
                let status = try await server.send("PUT /v1/people/\(name)", Self.document(name)).status
                #expect(status == 201)
            }
            try await server.engine.perform(
                MakeFriends(try ID("zelda0x"), try ID("old")), by: .service, at: morning - .seconds(60))
            for line in [
                "PUT /v1/people/zelda0x/friends/luis", "PUT /v1/people/luis/friends/zelda0x",
                "DELETE /v1/people/old/friends/zelda0x", "PUT /v1/people/eva/friends/zelda0x",
                "PUT /v1/people/zelda0x/friends/wim", "PUT /v1/people/wim/friends/zelda0x",
                "DELETE /v1/people/wim/friends/zelda0x", "PUT /v1/people/zelda0x/blocks/eva",
            ] { #expect(try await server.send(line).status < 300, "\(line)") }
            for (name, text) in FriendAttribute.samples {
                let others = text == "z\(name)" ? "mrs zelda0x" : text
                for (line, text) in [("zelda0x/friends/luis", text), ("luis/friends/zelda0x", others)] {
                    let body = #"{"\#(name)":"\#(text)"}"#
                    #expect(try await server.send("PUT /v1/people/\(line)/\(name)", body).status == 200)
                }
            }
            for (line, body) in [
                ("POST /v1/people/zelda0x/devices", #"{"id":"zdevice"}"#),
                ("PUT /v1/people/zelda0x/decisions/luis", #"{"like":true}"#),
                ("PUT /v1/people/luis/decisions/zelda0x", #"{"like":true}"#),
                ("PUT /v1/people/zelda0x/decisions/bea", #"{"like":false}"#),
                ("PUT /v1/people/zelda0x/decisions/wim", #"{"like":true}"#),
                ("POST /v1/groups", #"{"id":"zgroup","name":"Only Zelda0x","owner":"zelda0x"}"#),
                ("POST /v1/groups", #"{"id":"club","name":"Club","owner":"zelda0x"}"#),
                ("PUT /v1/groups/club/invitations/luis", nil), ("PUT /v1/groups/club/members/luis", nil),
                ("POST /v1/groups", #"{"id":"open","name":"Open","owner":"luis"}"#),
                ("PUT /v1/groups/open/invitations/zelda0x", nil),
                ("PUT /v1/places/corner", #"{"kind":"topic","name":"Corner","owner":"zelda0x"}"#),
                ("PUT /v1/places/square", #"{"kind":"topic","name":"Square"}"#),
                ("PUT /v1/products/boot", #"{"name":"Boot"}"#),
                ("PUT /v1/people/zelda0x/favourites/people/luis", nil),
                ("PUT /v1/people/zelda0x/favourites/people/wim", nil),
                ("PUT /v1/people/zelda0x/favourites/places/square", nil),
                ("PUT /v1/people/zelda0x/favourites/products/boot", nil),
                ("PUT /v1/people/luis/favourites/people/zelda0x", nil),
                ("POST /v1/places/square/comments", #"{"author":"zelda0x","text":"zcomment"}"#),
                (
                    "PUT /v1/people/zelda0x/fences/zfence",
                    #"{"area":{"lat":39.6,"lon":-0.4,"within_m":100},"note":"zfence"}"#
                ),
                (
                    "PUT /v1/people/luis/fences/club",
                    #"{"area":{"lat":10,"lon":10,"within_m":100},"people":["zelda0x"],"on":["exit"]}"#
                ),
                ("POST /v1/people/zelda0x/shares", #"{"for_s":60,"label":"zlabelled"}"#),
                ("POST /v1/places/square/comments", #"{"author":"luis","text":"Nice"}"#),
                (
                    "POST /v1/pings",
                    #"[{"person":"zelda0x","device":"zphone","t":1700000000,"lat":39.5075,"lon":-0.4,"accuracy_m":12},"#
                        + #"{"person":"zelda0x","device":"zphone","t":1700000060,"lat":39.5075,"lon":-0.4,"accuracy_m":12},"#
                        + #"{"person":"zelda0x","device":"zphone","t":1700010000,"lat":39.6,"lon":-0.4},"#
                        + #"{"person":"zelda0x","device":"zphone","t":1700010060,"lat":39.6,"lon":-0.4,"accuracy_m":9}]"#
                ),
                // People who block her no longer exist for her.
                ("PUT /v1/people/wim/blocks/zelda0x", nil),
            ] { #expect(try await server.send(line, body).status < 300, "\(line)") }
            try await server.engine.writePendingStays(dueAt: nil)
            server.engine.recordRequest(0, at: morning + .seconds(60))
            try await server.engine.keepLastHeard(dueAt: morning + .seconds(3600))
            try await body(server)
        }
    }

    private static func document(_ name: String) -> String {
        name == "zelda0x"
            ? #"{"name":"Zeldaname","surname":"Zsurname","city":"Gandia","born":"1990-01-02","sex":"female","email":"zelda@zmail.example","phone":"+34 zphone","photo":"https://zphoto.example/z.jpg","about":"zabout me","attributes":{"zkey":"zvalue"},"discoverable":true,"throttle":{"distance_m":600},"retention_s":3000000000,"tokens_not_before":"2026-01-01T00:00:00Z","sharing":{"precision":"exact","zones":[{"id":"zzone","lat":40,"lon":-1,"radius_m":300}]}}"#
            : #"{"name":"X","born":"1990-01-02","discoverable":true}"#
    }

    private static let expected = """
        {"person":{"id":"zelda0x","name":"Zeldaname","surname":"Zsurname","city":"Gandia","born":"1990-01-02","sex":"female","email":"zelda@zmail.example","phone":"+34 zphone","photo":"https://zphoto.example/z.jpg","about":"zabout me","attributes":{"zkey":"zvalue"},"discoverable":true,"sharing":{"precision":"exact","zones":[{"id":"zzone","lat":40,"lon":-1,"radius_m":300}]},"throttle":{"distance_m":600},"retention_s":3000000000,"tokens_not_before":"2026-01-01T00:00:00Z"},
        "devices":[
        {"id":"zdevice","since":"2026-11-20T10:00:00Z","last_heard_at":"2026-11-20T10:01:00Z"}],
        "friends":[
        {"id":"luis","asked_by":"me","asked":"2026-11-20T10:00:00Z","since":"2026-11-20T10:00:00Z"}],
        "requests":[],
        "former_friends":[
        {"id":"old","since":"2026-11-20T09:59:00Z","until":"2026-11-20T10:00:00Z"}],
        "labels":[
        {"id":"luis",\(FriendAttribute.samples.map { #""\#($0.name)":"\#($0.text)""# }.joined(separator: ","))}],
        "blocks":[
        {"id":"eva","since":"2026-11-20T10:00:00Z"}],
        "decisions":[
        {"id":"luis","like":true,"at":"2026-11-20T10:00:00Z"},
        {"id":"bea","like":false,"at":"2026-11-20T10:00:00Z"}],
        "matches":[
        {"id":"luis"}],
        "groups":[
        {"id":"club","name":"Club","owner":"zelda0x","since":"2026-11-20T10:00:00Z"},
        {"id":"zgroup","name":"Only Zelda0x","owner":"zelda0x","since":"2026-11-20T10:00:00Z"}],
        "fences":[
        {"id":"zfence","area":{"lat":39.6,"lon":-0.4,"within_m":100},"on":["enter","exit"],"note":"zfence"}],
        "watchers":[
        {"owner":"luis","fence":"club","area":{"lat":10,"lon":10,"within_m":100},"on":["exit"],"asked":"2026-11-20T10:00:00Z","watching":false}],
        "shares":[
        {"id":"COMMENT","precision":"approximate","since":"2026-11-20T10:00:00Z","expires":"2026-11-20T10:01:00Z","trail":false,"label":"zlabelled","views":0}],
        "events":[
        {"id":0,"type":"friend.made","at":"2026-11-20T09:59:00Z","person":"zelda0x","other":"old"},
        {"id":0,"type":"friend.asked","at":"2026-11-20T10:00:00Z","person":"zelda0x","other":"luis"},
        {"id":0,"type":"friend.made","at":"2026-11-20T10:00:00Z","person":"luis","other":"zelda0x"},
        {"id":0,"type":"match.made","at":"2026-11-20T10:00:00Z","person":"luis","other":"zelda0x"},
        {"id":0,"type":"group.joined","at":"2026-11-20T10:00:00Z","person":"zelda0x","group":"zgroup"},
        {"id":0,"type":"group.joined","at":"2026-11-20T10:00:00Z","person":"zelda0x","group":"club"},
        {"id":0,"type":"group.invited","at":"2026-11-20T10:00:00Z","person":"zelda0x","other":"luis","group":"club"},
        {"id":0,"type":"group.invited","at":"2026-11-20T10:00:00Z","person":"luis","other":"zelda0x","group":"open"},
        {"id":0,"type":"comment.created","at":"2026-11-20T10:00:00Z","person":"zelda0x","place":"square"},
        {"id":0,"type":"share.opened","at":"2026-11-20T10:00:00Z","person":"zelda0x","share":"SHARE"},
        {"id":0,"type":"fence.enter","at":"2023-11-15T01:00:00Z","person":"zelda0x","other":"zelda0x","fence":"zfence","note":"zfence"}],
        "invitations":[
        {"id":"open","name":"Open","by":"luis","at":"2026-11-20T10:00:00Z"}],
        "places":[
        {"id":"corner","kind":"topic","name":"Corner","owner":"zelda0x"}],
        "favourite_people":[
        {"id":"luis","since":"2026-11-20T10:00:00Z"}],
        "favourite_places":[
        {"id":"square","since":"2026-11-20T10:00:00Z"}],
        "favourite_products":[
        {"id":"boot","since":"2026-11-20T10:00:00Z"}],
        "comments":[
        {"id":"COMMENT","place":"square","text":"zcomment","at":"2026-11-20T10:00:00Z"}],
        "sharings":[
        {"since":"2026-11-20T10:00:00Z","sharing":{"precision":"exact"}}],
        "discovery_positions":[
        {"lat":39.6,"lon":-0.4,"moved":"2026-11-20T10:00:00Z"}],
        "residences":[
        {"cell":"CELL","since":"2026-11-20T10:00:00Z"}],
        "remembered_places":[
        {"t":"2023-11-14T22:13:20Z","lat":39.5075,"lon":-0.4,"public_cell":"CELL"}],
        "live_position":[
        {"t":"2023-11-15T01:01:00Z","lat":39.6,"lon":-0.4,"accuracy_m":9}],
        "positions":[
        {"t":"2023-11-14T22:13:20Z","lat":39.5075,"lon":-0.4,"device":"zphone","accuracy_m":12,"seen_until":"2023-11-14T22:14:20Z","received":"2026-11-20T10:00:00Z","public_cell":"CELL"},
        {"t":"2023-11-15T01:00:00Z","lat":39.6,"lon":-0.4,"device":"zphone","seen_until":"2023-11-15T01:01:00Z","received":"2026-11-20T10:00:00Z","public_cell":"CELL"}]}

        """

    private func export(_ server: TestServer) async throws -> String {
        let reply = try await server.send("GET /v1/people/zelda0x/export")
        #expect(reply.status == 200 && reply.headers.first(name: "content-type") == "application/json")
        #expect(reply.headers.first(name: "cache-control") == "no-store")
        return reply.body.replacing(/"((?:public_)?cell)":"[0-9a-f]+"/) { #""\#($0.1)":"CELL""# }
            .replacing(/"id":"[\w-]{22}"/, with: #""id":"COMMENT""#)
            .replacing(/"share":"[\w-]{22}"/, with: #""share":"SHARE""#)
            .replacing(/"id":\d+,"type"/, with: #""id":0,"type""#)
    }

    @Test("All data are exported in one document") func completeExport() async throws {
        try await withZelda { server in
            let reported = try await export(server)
            #expect(reported == Self.expected)
            try await server.engine.compact()
            let folded = try await export(server)
            #expect(folded == Self.expected, "from the tables as from the log")
            #expect(try JSONSerialization.jsonObject(with: Data(try await export(server).utf8)) is [String: Any])
        }
    }

    /// Texts that only she has, in lower case like the text indexes.
    private static let traces =
        [
            "zelda", "zsurname", "zmail", "zphone", "zphoto", "zabout", "zkey", "zvalue", "zdevice", "zgroup",
            "zcomment", "zzone", "zfence", "zlabelled",
        ] + FriendAttribute.samples.map(\.text).filter { $0.hasPrefix("z") }

    @Test("A deletion leaves nothing") func completeDeletion() async throws {
        try await withZelda { server in
            #expect(try await traces(in: server).count == Self.traces.count, "each is found before")
            let number = try server.store.inspect { db in
                try Int.fetchOne(db, sql: "SELECT number FROM people WHERE id = 'zelda0x'")
            }
            let hash = try #require(
                try server.store.inspect { db in try Data.fetchOne(db, sql: "SELECT token_hash FROM devices") })
            #expect(try files(server).contains { $0.range(of: hash) != nil })
            let held = try #require(number)
            for (table, count) in try rows(of: held, in: server) {
                #expect(count > 0, "\(table): there is some before")
            }
            #expect(try await server.send("DELETE /v1/people/zelda0x").status == 204)
            for _ in 0..<5 { try await server.engine.compact() }
            #expect(try await traces(in: server) == [])
            for (table, count) in try rows(of: held, in: server) { #expect(count == 0, "\(table)") }
            let others = try server.store.inspect { db in try String.fetchAll(db, sql: "SELECT text FROM comments") }
            #expect(others == ["Nice"], "what others said stays")
            #expect(try !files(server).contains { $0.range(of: hash) != nil })
            let owner = try server.store.inspect { db in
                try Int.fetchOne(db, sql: "SELECT owner FROM groups WHERE id = 'club'")
            }
            #expect(owner != number && owner != nil)
            let account = server.engine.read { $0.canonicalDump }.joined(separator: "\n").lowercased()
            #expect(Self.traces.filter { account.contains($0) } == [])
            let reply = try await server.send("GET /v1/people/zelda0x/export")
            #expect(reply.text == CallerRows.absent("person", "zelda0x"))
        }
    }

    /// The number of rows with a person's number, in tables that identify people only by number.
    private func rows(of number: Int, in server: TestServer) throws -> [(table: String, count: Int)] {
        try server.store.inspect { db in
            try [
                ("comments", "author"), ("favourite_people", "person"), ("favourite_people", "other"),
                ("favourite_places", "person"), ("favourite_products", "person"), ("sharings", "person"),
                ("discovery_positions", "person"), ("residences", "person"), ("remembered_places", "person"),
                ("shares", "person"),
                ("fence_watches", "person"), ("fence_visits", "person"), ("live_positions", "person"),
            ].map { table, column in
                let sql = "SELECT count(*) FROM \(table) WHERE \(column) = ?"
                return ("\(table).\(column)", try Int.fetchOne(db, sql: sql, arguments: [number]) ?? 0)
            }
        }
    }

    private func files(_ server: TestServer) throws -> [Data] {
        try ["cerca.sqlite", "cerca.sqlite-wal"].map { try Data(contentsOf: server.folder.appending(path: $0)) }
    }

    /// The traces that are found in any column of any table, or anywhere in the files.
    private func traces(in server: TestServer) async throws -> [String] {
        let values = try server.store.inspect { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'").flatMap { table in
                // Virtual tables of SpatiaLite have no data of their own.
                let columns = try? String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')")
                return (columns ?? []).flatMap { column -> [String] in
                    let sql = "SELECT lower(CAST(\"\(column)\" AS TEXT)) FROM \"\(table)\""
                    return ((try? String?.fetchAll(db, sql: sql)) ?? []).compactMap(\.self)
                }
            }
        }
        #expect(values.count > 100)
        let text = values.joined(separator: "\n")
        let bytes = try files(server).map {
            String(decoding: $0.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self).lowercased()
        }
        return Self.traces.filter { trace in ([text] + bytes).contains { $0.contains(trace) } }
    }
}
