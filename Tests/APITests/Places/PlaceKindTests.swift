import API
import Discovery
import Model
import TestSupport
import Testing

/// The kinds of places that people can make.
@Suite struct PlaceKindTests {
    private func withKinds(_ list: String?, _ body: (TestServer, TestKeys) async throws -> Void) async throws {
        var rules = PingRules()
        if let list { rules.kindsOfPeople = PlaceKinds(list) }
        try await withKeys(rules: rules) { server, keys, _ in
            try await server.add([("ana", nil)])
            try await body(server, keys)
        }
    }

    private func place(_ kind: String) -> String { #"{"kind":"\#(kind)","name":"P","owner":"ana"}"# }

    private func refused(_ kind: String, _ kinds: String) -> String {
        problem(
            403, "Forbidden", "not_allowed",
            "The kind is '\(kind)'; people may create places of \(kinds), services of any kind.")
    }

    @Test("People make places of the configured kinds") func allowedKinds() async throws {
        let rows: [(list: String?, kinds: String, allowed: [String], refused: [String])] = [
            (nil, "any kind except 'store'", ["recipe", "topic", "shop"], ["store", "STORE", "störe", "ｓｔｏｒｅ"]),
            ("*", "any kind except 'store'", ["recipe"], ["store"]),
            ("", "no kind", [], ["recipe", "store"]),
            ("recipe, Spot", "'recipe', 'spot'", ["recipe", "RECIPE", "spot"], ["topic", "store", "*"]),
            ("*,store", "any kind", ["store", "recipe"], []),
            ("store", "'store'", ["store"], ["recipe"]),
        ]
        for row in rows {
            try await withKinds(row.list) { server, keys in
                for (number, kind) in (row.allowed + row.refused).enumerated() {
                    let isAllowed = row.allowed.contains(kind)
                    let answer = isAllowed ? nil : refused(kind, row.kinds)
                    let made = try await server.send(
                        "PUT /v1/places/a\(number)", place(kind), token: keys.person("ana"))
                    #expect(answer.map { made.text == $0 } ?? (made.status == 201), "\(row): \(kind) \(made.text)")
                    let service = try await server.send("PUT /v1/places/s\(number)", place(kind), token: keys.service)
                    #expect(service.status == 201, "services make all")
                }
            }
        }
    }

    @Test("A place cannot change to a kind that its owner must not make") func changedKind() async throws {
        try await withKinds("recipe") { server, keys in
            for (line, body) in [("PUT /v1/places/sol", place("store")), ("PUT /v1/places/paella", place("recipe"))] {
                let reply = try await server.send(line, body, token: keys.service)
                #expect(reply.status == 201)
            }
            let ana = keys.person("ana")
            for (line, body, answer) in [
                ("PATCH /v1/places/paella", #"{"kind":"store"}"#, refused("store", "'recipe'")),
                ("PUT /v1/places/paella", place("store"), refused("store", "'recipe'")),
                ("PATCH /v1/places/sol", #"{"kind":"STORE"}"#, refused("STORE", "'recipe'")),
                (
                    "PATCH /v1/places/sol", #"{"name":"Luna"}"#,
                    #"200 {"id":"sol","kind":"store","name":"Luna","owner":"ana"}"#
                ),
                ("PUT /v1/places/sol", place("store"), #"200 {"id":"sol","kind":"store","name":"P","owner":"ana"}"#),
                (
                    "PATCH /v1/places/sol", #"{"kind":"recipe"}"#,
                    #"200 {"id":"sol","kind":"recipe","name":"P","owner":"ana"}"#
                ),
                ("PATCH /v1/places/sol", #"{"kind":"store"}"#, refused("store", "'recipe'")),
            ] {
                let reply = try await server.send(line, body, token: ana)
                #expect(reply.text == answer, "\(line) \(body)")
            }
        }
    }

    @Test("A refused place does not affect others in a batch") func batches() async throws {
        try await withKinds(nil) { server, _ in
            let writes = try ["topic", "store", "spot"].map { kind in
                var place = Place(id: try ID(kind), kind: kind, name: "P")
                place.owner = try ID("ana")
                return Write(place)
            }
            let ana = Caller.person(try ID("ana"))
            let results = try await server.engine.perform(PutPlaces(writes), by: ana, at: morning)
            #expect(
                results.map { (try? $0.get()) != nil } == [true, false, true], "\(results)")
        }
    }
}
