import API
import Discovery
import Foundation
import Laws
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Members that affect visibility are kept if a write does not mention them, whatever the caller and the format.
@Suite struct UnmentionedTests {
    /// A person's document as the JSON of its members, by path for members of `sharing` and `throttle`.
    private struct Draft: Equatable {
        var members: [String: String] = [:]

        /// The members that affect visibility, with possible values.
        static let kept: [String: [String]] = [
            "city": [#""Gandia""#, #""Madrid""#], "born": [#""1996-05-01""#, #""1980-01-31""#, #""2015-01-01""#],
            "discoverable": ["true", "false"], "searchable": ["true", "false"],
            "searchable_by_email": ["true", "false"], "retention_s": ["86400", "999999"],
            "sharing/precision": [#""exact""#, #""approximate""#, #""city""#, #""hidden""#],
            "sharing/paused_until": [#""2026-11-20T10:00:01Z""#, #""2026-11-20T09:00:00Z""#],
            "sharing/timetable": [
                #"{"hours":"Mo-Fr","timezone":"UTC"}"#, #"{"hours":"Sa-Su 10:00-12:00","timezone":"UTC"}"#,
            ],
            "sharing/zones": [
                "[]", #"[{"id":"home","lat":39.47,"lon":-0.376,"radius_m":300}]"#,
                #"[{"id":"a","lat":39.47,"lon":-0.376,"radius_m":400},{"id":"b","lat":41,"lon":2,"radius_m":300}]"#,
            ],
            "throttle/distance_m": ["100", "2000"], "throttle/interval_s": ["30", "600"],
        ]
        /// The members that the last write replaces.
        private static let profile = [
            "name": #""Nadia""#, "surname": #""Soler""#, "email": #""nadia@example.com""#, "phone": #""1""#,
            "about": #""Hola""#,
        ]

        static func whole(_ random: inout SeededGenerator) -> Draft {
            Draft(members: profile).merged(with: some(&random))
        }

        /// Values of some members that are kept.
        static func some(_ random: inout SeededGenerator) -> Draft {
            var draft = Draft()
            for (path, values) in kept.sorted(by: { $0.key < $1.key }) where random.chance(0.5) {
                draft.members[path] = random.pick(values)
            }
            return draft
        }

        func merged(with other: Draft) -> Draft { Draft(members: members.merging(other.members) { $1 }) }

        /// The document without some members that are kept, or with `null` instead.
        func forgetting(_ random: inout SeededGenerator) -> Draft {
            var draft = self
            for path in Self.kept.keys.sorted() where random.chance(0.5) {
                draft.members[path] = random.chance(0.3) ? "null" : nil
            }
            return draft
        }

        func json(_ more: [String: String] = [:]) -> String {
            let groups = Dictionary(grouping: members) { $0.key.split(separator: "/")[0] }
            let texts = groups.map { name, members in
                let inner = members.map { "\"\($0.key.split(separator: "/").last ?? "")\":\($0.value)" }
                return members[0].key.contains("/")
                    ? "\"\(name)\":{\(inner.sorted().joined(separator: ","))}" : inner[0]
            }
            return "{\((texts + more.map { "\"\($0.key)\":\($0.value)" }).sorted().joined(separator: ","))}"
        }
    }

    /// Fia, a friend of Nadia, and Sol, who looks for strangers, are at Nadia's place, and all share exactly.
    private func withNadia(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["nadia", "fia", "sol"].map { ($0, try place(39.47, -0.376)) })
            let friends = MakeFriends(try ID("nadia"), try ID("fia"))
            try await server.engine.perform(friends, by: .service, at: morning)
            try await body(server, keys)
        }
    }

    /// Returns what every caller sees of Nadia.
    private func reported(_ server: TestServer, _ keys: TestKeys) async throws -> [String] {
        let questions = [
            (keys.service, ["/v1/people/nadia", "/v1/people/nadia/position", "/v1/people?q=nadia"]),
            (
                keys.person("fia"),
                [
                    "/v1/people/nadia", "/v1/people/nadia/position", "/v1/people/fia/friends/nearest",
                    "/v1/people/nadia/position?at=2026-11-20T09:55:00Z", "/v1/people/fia/encounters?with=nadia",
                ]
            ),
            (
                keys.person("sol"),
                [
                    "/v1/people/nadia", "/v1/people/nadia/position", "/v1/people/sol/discovery", "/v1/people?q=nadia",
                    "/v1/people?email=nadia@example.com",
                ]
            ),
        ]
        var answers: [String] = []
        for (token, lines) in questions {
            for line in lines {
                let reply = try await server.send("GET \(line)", token: token)
                answers.append("\(line) \(reply.headers.first(name: "etag") ?? "") \(reply.text)")
            }
        }
        return answers
    }

    /// The ways to write a document: a `PUT` by a service or by Nadia, or a line of an import.
    private func writes(_ draft: Draft, _ keys: TestKeys) -> [(line: String, body: String, token: String, type: String)]
    {
        let line = draft.json(["id": #""nadia""#]) + "\n"
        return [
            ("PUT /v1/people/nadia", draft.json(), keys.service, "application/json"),
            ("PUT /v1/people/nadia", draft.json(), keys.person("nadia"), "application/json"),
            ("POST /v1/imports/people", line, keys.service, "application/x-ndjson"),
        ]
    }

    @Test("A write without a member does not change visibility") func omittedMembers() async throws {
        try await withNadia { server, keys in
            for seed in RandomCases.seeds(0..<20) {
                var random = SeededGenerator(seed: seed)
                let whole = Draft.whole(&random)
                let reset = #"{"throttle":null,"sharing":null,"searchable":null,"city":null,"retention_s":null}"#
                _ = try await server.send("PATCH /v1/people/nadia", reset, token: keys.service)
                let put = try await server.send("PUT /v1/people/nadia", whole.json(), token: keys.service)
                #expect(put.status == 200, "seed \(seed): \(put.body)")
                let before = try await reported(server, keys)
                for (line, body, token, type) in writes(whole.forgetting(&random), keys) {
                    let reply = try await server.send(line, body, token: token, type: type)
                    #expect(reply.status == 200, "seed \(seed): \(line) \(body) \(reply.body)")
                    #expect(try await reported(server, keys) == before, "seed \(seed): \(line) \(body)")
                }
            }
        }
    }

    /// If the profile is unchanged, a `PUT` or an import equals a merge patch.
    @Test("Members that are mentioned are written as by a merge patch") func mentionedMembers() async throws {
        try await withNadia { server, keys in
            for seed in RandomCases.seeds(0..<20) {
                var random = SeededGenerator(seed: 1000 + seed)
                let (whole, change) = (Draft.whole(&random), Draft.some(&random))
                let profile = Draft(members: whole.members.filter { Draft.kept[$0.key] == nil })
                for (line, body, token, type) in writes(profile.merged(with: change), keys).filter({
                    $0.2 == keys.service
                }) {
                    for id in ["nadia", "twin"] {
                        _ = try await server.send("DELETE /v1/people/\(id)", token: keys.service)
                        _ = try await server.send("PUT /v1/people/\(id)", whole.json(), token: keys.service)
                    }
                    let reply = try await server.send(line, body, token: token, type: type)
                    #expect(reply.status == 200, "seed \(seed): \(body) \(reply.body)")
                    let patched = try await server.send("PATCH /v1/people/twin", change.json(), token: keys.service)
                    let written = try await server.send("GET /v1/people/nadia", token: keys.service)
                    #expect(
                        written.text == patched.text.replacing("twin", with: "nadia"), "seed \(seed): \(line) \(body)")
                    if line.hasPrefix("PUT") { #expect(reply.text == written.text, "the answer is the whole document") }
                }
            }
        }
    }

    @Test("An import of profiles makes no hidden person visible") func profileTables() async throws {
        try await withNadia { server, keys in
            let hidden =
                #"{"name":"Nadia","city":"Gandia","born":"1996-05-01","sharing":{"precision":"hidden","zones":[{"id":"home","lat":39.47,"lon":-0.376,"radius_m":300}]}}"#
            _ = try await server.send("PUT /v1/people/nadia", hidden, token: keys.person("nadia"))
            let before = try await reported(server, keys)
            for table in ["id,name\nnadia,Nadia\n", "id,name,city,born,discoverable,sharing\nnadia,Nadia,,,,\n"] {
                let reply = try await server.send(
                    "POST /v1/imports/people", table, token: keys.service, type: "text/csv")
                #expect(reply.text == #"200 {"rows":1,"created":0,"updated":1,"refused":[],"refused_count":0}"#)
                #expect(try await reported(server, keys) == before, "\(table)")
            }
            let table = "id,name,sharing\nnadia,Nadia,exact\n"
            _ = try await server.send("POST /v1/imports/people", table, token: keys.service, type: "text/csv")
            let document = try await server.send("GET /v1/people/nadia", token: keys.service)
            #expect(
                document.body
                    == #"{"id":"nadia","name":"Nadia","city":"Gandia","born":"1996-05-01","discoverable":true,"sharing":{"precision":"exact","zones":[{"id":"home","lat":39.47,"lon":-0.376,"radius_m":300}]}}"#,
                "a column says it, and nothing beside it")
            let empty = try await server.send("PUT /v1/people/nadia", "{}", token: keys.person("nadia"))
            #expect(empty.body == document.body.replacing(#""name":"Nadia","#, with: ""))
            let nulls = #"{"city":null,"born":null,"discoverable":null,"sharing":null}"#
            let line = nulls.replacing("{", with: #"{"id":"nadia","#)
            for send in [
                try await server.send("PUT /v1/people/nadia", nulls, token: keys.person("nadia")),
                try await server.send(
                    "POST /v1/imports/people", line, token: keys.service, type: "application/x-ndjson"),
            ] {
                #expect(send.status == 200)
                let same = try await server.send("GET /v1/people/nadia", token: keys.person("nadia"))
                #expect(same.body == empty.body)
            }
            let bare = try await server.send("PATCH /v1/people/nadia", nulls, token: keys.person("nadia"))
            #expect(bare.text == #"200 {"id":"nadia","discoverable":false}"#)
            let new = try await server.send("PUT /v1/people/new", #"{"name":"New"}"#, token: keys.service)
            #expect(new.text == #"201 {"id":"new","name":"New","discoverable":false}"#)
        }
    }
}
