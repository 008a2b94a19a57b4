import API
import Discovery
import Geo
import Model
import NIOHTTP1
import Storage
import TestSupport
import Testing

/// Visibility of the past.
@Suite struct PastCallerTests {
    /// Ana and Luis stay at one place from 8:00 on, and are friends from 8:30 to 9:00 and from 9:30 on.
    ///
    /// Eva is a stranger who is there too.
    private func withPast(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            func perform(_ action: some Action, at second: Int) async throws {
                try await server.engine.perform(action, by: .service, at: morning + .seconds(second))
            }
            let names = ["ana", "luis", "eva"]
            try await server.add(names, at: morning - .seconds(86_400))
            let (ana, luis) = (try PersonID("ana"), try PersonID("luis"))
            try await perform(MakeFriends(ana, luis), at: -5400)
            try await perform(Unfriend(ana, luis), at: -3600)
            try await perform(MakeFriends(ana, luis), at: -1800)
            let reports = try stride(from: -7200, through: -600, by: 600).flatMap { second in
                try names.map { name in
                    var report = PingReport(
                        person: try ID(name), time: morning + .seconds(second), place: try place(0, 0))
                    report.details.accuracy = 10
                    return report
                }
            }
            try await perform(Record(reports), at: 0)
            try await body(server, keys)
        }
    }

    private func unknown(_ id: String) -> String {
        problem(404, "Not Found", "not_found", "No position of '\(id)' is visible to you.")
    }

    private func position(_ id: String) -> String { "GET /v1/people/\(id)/position?at=2026-11-20T08:45:00Z" }

    private func expect(_ line: String, _ token: String, _ answer: String, of server: TestServer) async throws {
        let reply = try await server.send(line, token: token)
        #expect(reply.text == answer, "\(line)")
    }

    @Test("A past position is visible to a person who was a friend then and is one now")
    func pastPosition() async throws {
        try await withPast { server, keys in
            func seen(_ until: String, since: String = "08:00:00") -> String {
                #"200 {"id":"ana","lat":0,"lon":0,"at":"2026-11-20T\#(since)Z","seen_until":"2026-11-20T\#(until)Z","age_s":0,"basis":"seen","method":"last","uncertainty_m":700.1,"precision":"exact"}"#
            }
            for token in [keys.service, keys.person("ana")] {
                try await expect(position("ana"), token, seen("09:50:00"), of: server)
            }
            try await expect(position("ana"), keys.person("luis"), seen("09:00:00", since: "08:30:00"), of: server)
            for time in ["08:29:59", "09:15:00"] {
                let line = "GET /v1/people/ana/position?at=2026-11-20T\(time)Z"
                try await expect(line, keys.person("luis"), unknown("ana"), of: server)
                try await expect(line, keys.service, seen("09:50:00"), of: server)
            }
            for id in ["ana", "ghost"] {
                try await expect(position(id), keys.person("eva"), unknown(id), of: server)
            }
        }
    }

    @Test("Past friends are visible only to the person") func pastFriends() async throws {
        try await withPast { server, keys in
            for (time, items) in [
                ("08:29:59", ""), ("08:45:00", #"{"id":"luis"}"#), ("09:15:00", ""), ("09:45:00", #"{"id":"luis"}"#),
            ] {
                let line = "GET /v1/people/ana/friends/nearest?fields=id&at=2026-11-20T\(time)Z"
                try await expect(line, keys.person("ana"), #"200 {"items":[\#(items)]}"#, of: server)
                try await expect(line, keys.person("luis"), CallerRows.notAllowed, of: server)
            }
        }
    }

    @Test("Encounters are visible only for times of friendship") func encounters() async throws {
        try await withPast { server, keys in
            let line = "GET /v1/people/ana/encounters?fields=from,to&with="
            try await expect(
                line + "luis", keys.person("ana"),
                #"200 {"items":[{"from":"2026-11-20T08:30:00Z","to":"2026-11-20T08:59:59.999Z"},{"from":"2026-11-20T09:30:00Z","to":"2026-11-20T09:50:00Z"}]}"#,
                of: server)
            try await expect(
                line + "luis", keys.service,
                #"200 {"items":[{"from":"2026-11-20T08:00:00Z","to":"2026-11-20T09:50:00Z"}]}"#, of: server)
            for id in ["eva", "ghost"] {
                try await expect(line + id, keys.person("ana"), unknown(id), of: server)
            }
            try await expect(line + "ghost", keys.service, CallerRows.absent("person", "ghost"), of: server)
        }
    }

    /// A read of the database takes longer than everything else, so its duration would reveal who exists.
    @Test("The database is not read about people who must not be visible") func withoutDatabase() async throws {
        try await withPast { server, keys in
            try await server.add(["bea", "hidden"])
            let hidden = #"{"sharing":{"precision":"hidden"}}"#
            #expect(try await server.send("PATCH /v1/people/hidden", hidden, token: keys.service).status == 200)
            let pair = (try PersonID("ana"), try PersonID("hidden"))
            try await server.engine.perform(MakeFriends(pair.0, pair.1), by: .service, at: morning)
            #expect(try await server.send("PUT /v1/people/bea/blocks/ana", token: keys.service).status == 204)
            try server.store.close()
            for id in ["bea", "ghost", "eva", "hidden"] {
                try await expect(position(id), keys.person("ana"), unknown(id), of: server)
                try await expect(
                    "GET /v1/people/ana/encounters?with=\(id)", keys.person("ana"), unknown(id), of: server)
                let batch = #"{"queries":[{"position":"\#(id)","at":"2026-11-20T08:45:00Z"}]}"#
                let reply = try await server.send("POST /v1/query", batch, token: keys.person("ana"))
                #expect(reply.text == #"200 {"answers":[\#(unknown(id).dropFirst(4))]}"#)
            }
            let friend = try await server.send(position("luis"), token: keys.person("ana"))
            #expect(friend.status == 500, "there is nothing to read from")
        }
    }

    @Test("Blocked people have no past for each other") func blocks() async throws {
        try await withPast { server, keys in
            try await expect("PUT /v1/people/ana/blocks/luis", keys.person("ana"), "204 ", of: server)
            for (viewer, other) in [("ana", "luis"), ("luis", "ana")] {
                let token = keys.person(viewer)
                for id in [other, "ghost"] {
                    try await expect(position(id), token, unknown(id), of: server)
                    try await expect("GET /v1/people/\(viewer)/encounters?with=\(id)", token, unknown(id), of: server)
                }
                try await expect(
                    "GET /v1/people/\(viewer)/friends/nearest?at=2026-11-20T08:45:00Z", token, #"200 {"items":[]}"#,
                    of: server)
            }
        }
    }
}
