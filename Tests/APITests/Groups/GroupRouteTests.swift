import Discovery
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Groups and labels over HTTP, as their members use them.
@Suite struct GroupRouteTests {
    private struct Step {
        var caller: String
        var request: String
        var body: String?
        var answer: String

        init(_ caller: String, _ request: String, _ body: String?, _ answer: String) {
            (self.caller, self.request, self.body, self.answer) = (caller, request, body, answer)
        }

        init(_ caller: String, _ request: String, _ answer: String) { self.init(caller, request, nil, answer) }
    }

    /// Ana is a friend of Luis and of Eva, who are strangers to each other.
    private func withFriends(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            try await server.add([
                ("ana", try place(39.47, -0.376)), ("luis", try place(39.471, -0.376)),
                ("eva", try place(39.472, -0.376)),
            ])
            let (ana, luis, eva) = (try PersonID("ana"), try PersonID("luis"), try PersonID("eva"))
            try await server.engine.perform(
                Batch([MakeFriends(ana, luis), MakeFriends(ana, eva)]), by: .service, at: morning - .seconds(3600))
            try await body(server, keys)
        }
    }

    private func run(_ steps: [Step], _ server: TestServer, _ keys: TestKeys) async throws {
        for step in steps {
            let token = step.caller == "service" ? keys.service : keys.person(step.caller)
            let reply = try await server.send(step.request, step.body, token: token)
            #expect(reply.text == step.answer, "\(step.caller): \(step.request)")
        }
    }

    private func refused(_ pointer: String, _ code: String, _ detail: String) -> String {
        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_body","detail":"\#(pointer): \#(detail)","instance":"…","errors":[{"pointer":"\#(pointer)","code":"\#(code)","detail":"\#(detail)"}]}"#
    }

    private let team =
        #"{"id":"team","name":"Team","photo":"https://x.example/t.jpg","timetable":{"hours":"Mo-Fr 09:00-18:00","timezone":"Europe/Madrid"}"#

    @Test("A repeated idempotency key makes no second group") func idempotencyKey() async throws {
        try await withFriends { server, keys in
            func make(_ body: String, _ key: String, _ token: String) async throws -> TestServer.Reply {
                try await server.send(
                    "POST /v1/groups", body, headers: ["authorization": "Bearer \(token)", "idempotency-key": key])
            }
            let ana = keys.person("ana")
            let reused = problem(
                422, "Unprocessable Content", "idempotency_key_reused",
                "The 'Idempotency-Key' was used for another group.")
            let made = try await make(#"{"name":"Team"}"#, "k1", ana)
            let again = try await make(#"{"name":"Team"}"#, "k1", ana)
            #expect(made.status == 201 && again.status == 200 && made.body == again.body)
            for header in ["location", "etag", "cache-control"] {
                #expect(made.headers.first(name: header) == again.headers.first(name: header), "\(header)")
            }
            #expect(try await make(#"{"name":"Crew"}"#, "k1", ana).text == reused)
            #expect(try await make(#"{"name":"Team"}"#, "k2", ana).status == 201)
            #expect(
                try await make(#"{"name":"Team"}"#, "k1", keys.person("luis")).status == 201, "a key is its caller's")
            #expect(try await make(#"{"name":"Team"}"#, String(repeating: "x", count: 256), ana).status == 400)
            #expect(
                try await server.send("GET /v1/people/ana/groups?fields=name", token: ana).text
                    == #"200 {"items":[{"name":"Team"},{"name":"Team"}]}"#)
            // A group that was changed since is returned in its present state.
            let path = try #require(made.headers.first(name: "location"))
            #expect(try await server.send("PATCH \(path)", #"{"name":"Choir"}"#, token: ana).status == 200)
            let changed = try await make(#"{"name":"Team"}"#, "k1", ana)
            #expect(changed.status == 200 && changed.body.contains(#""name":"Choir""#))
            // Services choose ids. An equal group is returned, and another one with that id is a conflict.
            let named = #"{"id":"team","name":"Team","owner":"ana"}"#
            #expect(try await make(named, "k1", keys.service).status == 201)
            #expect(try await make(named, "k1", keys.service).text == "200 \(named)")
            #expect(
                try await make(#"{"id":"team","name":"Crew","owner":"ana"}"#, "k1", keys.service).text
                    == problem(409, "Conflict", "group_exists", "A group 'team' exists already."))
        }
    }

    @Test("A group from its creation to its deletion") func lifecycle() async throws {
        try await withFriends { server, keys in
            let absent = CallerRows.absent("group", "team")
            let notOwner = problem(
                403, "Forbidden", "not_allowed", "Only the owner of a group can change it and remove members.")
            let by = #""by":{"id":"ana","name":"Ana"},"at":"2026-11-20T10:00:00Z""#
            try await run(
                [
                    Step("service", "POST /v1/groups", "\(team),\"owner\":\"ana\"}", "201 \(team),\"owner\":\"ana\"}"),
                    Step(
                        "service", "POST /v1/groups", "\(team),\"owner\":\"ana\"}",
                        problem(409, "Conflict", "group_exists", "A group 'team' exists already.")),
                    Step("ana", "PUT /v1/groups/team/invitations/luis", #"200 {"state":"invited"}"#),
                    Step("ana", "PUT /v1/groups/team/invitations/luis", #"200 {"state":"invited"}"#),
                    Step("ana", "PUT /v1/groups/team/invitations/eva", #"200 {"state":"invited"}"#),
                    Step(
                        "ana", "GET /v1/groups/team/invitations?limit=1",
                        #"200 {"items":[{"id":"eva","name":"Eva"}],"cursor":"…"}"#),
                    Step(
                        "luis", "GET /v1/people/luis/invitations",
                        #"200 {"items":[{"id":"team","name":"Team","photo":"https://x.example/t.jpg",\#(by)}]}"#),
                    Step("luis", "GET /v1/groups/team", absent),
                    Step("luis", "PUT /v1/groups/team/members/luis", #"200 {"state":"member"}"#),
                    Step("luis", "PUT /v1/groups/team/members/luis", #"200 {"state":"member"}"#),
                    Step("luis", "GET /v1/people/luis/invitations", #"200 {"items":[]}"#),
                    Step("luis", "GET /v1/groups/team", "200 \(team)}"),
                    Step("luis", "PATCH /v1/groups/team", #"{"name":"Ours"}"#, notOwner),
                    Step("luis", "DELETE /v1/groups/team", notOwner),
                    Step("luis", "DELETE /v1/groups/team/members/ana", notOwner),
                    Step("luis", "PUT /v1/groups/team/invitations/eva", CallerRows.absent("friend", "eva")),
                    Step("luis", "PUT /v1/groups/team/invitations/ana?by=ana", CallerRows.notAllowed),
                    Step("luis", "GET /v1/groups/team/invitations", #"200 {"items":[]}"#),
                    Step("luis", "DELETE /v1/groups/team/invitations/eva", CallerRows.absent("invitation", "eva")),
                    Step("eva", "DELETE /v1/groups/team/invitations/eva", "204 "),
                    Step("eva", "PUT /v1/groups/team/members/eva", absent),
                    Step("eva", "DELETE /v1/groups/team/invitations/eva", absent),
                    Step("service", "PUT /v1/groups/team/invitations/ana?by=luis", #"200 {"state":"member"}"#),
                    Step(
                        "luis", "GET /v1/groups/team/members",
                        #"200 {"items":[{"id":"ana","name":"Ana"},{"id":"luis","name":"Luis"}]}"#),
                    Step(
                        "luis", "GET /v1/people/luis/groups",
                        "200 {\"items\":[\(team),\"since\":\"2026-11-20T10:00:00Z\",\"members\":2}]}"),
                    Step(
                        "ana", "PATCH /v1/groups/team", #"{"name":"Ours","photo":null,"timetable":null}"#,
                        #"200 {"id":"team","name":"Ours","owner":"ana"}"#),
                    Step("ana", "PATCH /v1/groups/team", #"{"owner":"luis"}"#, #"200 {"id":"team","name":"Ours"}"#),
                    Step("luis", "DELETE /v1/groups/team/members/ana", "204 "),
                    Step("ana", "GET /v1/groups/team", absent),
                    Step("luis", "DELETE /v1/groups/team", "204 "),
                    Step("luis", "GET /v1/groups/team", absent),
                ], server, keys)
        }
    }

    @Test("Invalid groups are refused") func invalidGroups() async throws {
        try await withFriends { server, keys in
            func body(_ hours: String, _ zone: String) -> String {
                #"{"name":"T","timetable":{"hours":"\#(hours)","timezone":"\#(zone)"}}"#
            }
            let unclear = "depends on holidays, the sun or a remark; only days and times are allowed here"
            try await run(
                [
                    Step("ana", "POST /v1/groups", "{}", refused("/name", "required", "is required")),
                    Step(
                        "ana", "POST /v1/groups", #"{"id":"mine","name":"T"}"#,
                        refused("/id", "refused", "is generated: only services choose it")),
                    Step("ana", "POST /v1/groups", #"{"name":"T","owner":"eva"}"#, CallerRows.notAllowed),
                    Step("service", "POST /v1/groups", #"{"name":"T"}"#, refused("/owner", "required", "is required")),
                    Step("nobody", "POST /v1/groups", #"{"name":"T"}"#, CallerRows.absent("person", "nobody")),
                    Step(
                        "ana", "POST /v1/groups", #"{"name":"T","members":[]}"#,
                        refused(
                            "/members", "unknown",
                            "is not a field here; known: id, name, photo, timetable")),
                    Step(
                        "ana", "POST /v1/groups", #"{"name":"T","timetable":"Mo-Fr"}"#,
                        refused("/timetable", "type", "is a string; must be an object")),
                    Step(
                        "ana", "POST /v1/groups", #"{"name":"T","timetable":{"hours":"Mo-Fr 09:00-17:00"}}"#,
                        refused("/timetable/timezone", "required", "is required")),
                    Step(
                        "ana", "POST /v1/groups", body("Mo-Fr 09:00-17:00", "Valencia"),
                        refused("/timetable/timezone", "format", "is 'Valencia', which is not an IANA time zone")),
                    Step(
                        "ana", "POST /v1/groups", body("Mo-Fr sunrise-sunset", "Europe/Madrid"),
                        refused("/timetable/hours", "format", unclear)),
                    Step(
                        "ana", "POST /v1/groups", body("Mo-Fr 09:00-17:00; PH off", "Europe/Madrid"),
                        refused("/timetable/hours", "format", unclear)),
                    Step(
                        "ana", "POST /v1/groups", body("Mon-Fri 9am-5pm", "Europe/Madrid"),
                        #"201 {"id":"…","name":"T","timetable":{"hours":"Mo-Fr 09:00-17:00","timezone":"Europe/Madrid"},"owner":"ana"}"#
                    ),
                ], server, keys)
            let vague = try await server.send(
                "POST /v1/groups", body("when I like", "Europe/Madrid"), token: keys.person("ana"))
            #expect(vague.status == 400 && vague.body.contains("/timetable/hours: is not understood: "))
        }
    }

    @Test("Conditional requests detect changes") func conditionalRequests() async throws {
        try await withFriends { server, keys in
            let ana = keys.person("ana")
            let made = try await server.send("POST /v1/groups", #"{"name":"T"}"#, token: ana)
            let path = try #require(made.headers.first(name: "location"))
            #expect(path.wholeMatch(of: /\/v1\/groups\/[-_A-Za-z0-9]{22}/) != nil)
            let tag = try #require(made.headers.first(name: "etag"))
            func send(_ line: String, _ body: String? = nil, _ name: String, _ value: String) async throws -> Int {
                try await server.send(line, body, headers: ["authorization": "Bearer \(ana)", name: value]).status
            }
            #expect(try await send("GET \(path)", nil, "if-none-match", tag) == 304)
            #expect(try await send("PATCH \(path)", #"{"name":"U"}"#, "if-match", "\"0\"") == 412)
            #expect(try await send("PATCH \(path)", #"{"name":"U"}"#, "if-match", tag) == 200)
            #expect(try await send("GET \(path)", nil, "if-none-match", tag) == 200)
            #expect(try await send("DELETE \(path)", nil, "if-match", tag) == 412)
            #expect(try await send("DELETE \(path)", nil, "if-match", "*") == 204)
        }
    }

    /// A tag that changed with the owner would reveal the owner to other members.
    @Test("A member's tag depends only on what members are shown") func memberTags() async throws {
        try await withFriends { server, keys in
            try await run(
                [
                    Step(
                        "service", "POST /v1/groups", #"{"id":"g","name":"G","owner":"luis"}"#,
                        #"201 {"id":"g","name":"G","owner":"luis"}"#),
                    Step("service", "PUT /v1/groups/g/invitations/ana", #"200 {"state":"invited"}"#),
                    Step("ana", "PUT /v1/groups/g/members/ana", #"200 {"state":"member"}"#),
                    Step("service", "PUT /v1/groups/g/invitations/eva?by=ana", #"200 {"state":"invited"}"#),
                    Step("eva", "PUT /v1/groups/g/members/eva", #"200 {"state":"member"}"#),
                ], server, keys)
            func tag(_ name: String) async throws -> String {
                let reply = try await server.send("GET /v1/groups/g", token: keys.person(name))
                let tag = try #require(reply.headers.first(name: "etag"))
                let again = try await server.send(
                    "GET /v1/groups/g", headers: ["authorization": "Bearer \(keys.person(name))", "if-none-match": tag])
                #expect(again.status == 304 && again.headers.first(name: "etag") == tag)
                return tag
            }
            let (before, owners) = (try await tag("eva"), try await tag("luis"))
            #expect(try await tag("ana") == before && owners != before)
            try await run(
                [
                    Step(
                        "luis", "PATCH /v1/groups/g", #"{"owner":"ana"}"#, #"200 {"id":"g","name":"G"}"#)
                ], server, keys)
            #expect(try await tag("eva") == before, "another is the owner")
            try await run([Step("ana", "DELETE /v1/groups/g/members/ana", "204 ")], server, keys)
            #expect(try await tag("eva") == before, "there is an heir")
            try await run(
                [Step("service", "PATCH /v1/groups/g", #"{"name":"H"}"#, #"200 {"id":"g","name":"H","owner":"luis"}"#)],
                server, keys)
            #expect(try await tag("eva") != before)
        }
    }

    @Test("Nearby friends are filtered by group and by label") func nearbyFriends() async throws {
        try await withFriends { server, keys in
            let nearest = "GET /v1/people/ana/friends/nearest?fields=id,label"
            let both = #"200 {"items":[{"id":"luis","label":"work"},{"id":"eva"}]}"#
            let luis = #"200 {"items":[{"id":"luis","label":"work"}]}"#
            try await run(
                [
                    Step(
                        "service", "POST /v1/groups", #"{"id":"g","name":"G","owner":"ana"}"#,
                        #"201 {"id":"g","name":"G","owner":"ana"}"#),
                    Step("ana", "PUT /v1/groups/g/invitations/luis", #"200 {"state":"invited"}"#),
                    Step("ana", "\(nearest)&group=g", #"200 {"items":[]}"#),
                    Step("luis", "PUT /v1/groups/g/members/luis", #"200 {"state":"member"}"#),
                    Step(
                        "ana", "PUT /v1/people/ana/friends/luis/label", #"{"label":"work"}"#, #"200 {"label":"work"}"#),
                    Step(
                        "ana", "PUT /v1/people/ana/friends/luis/label", #"{"label":""}"#,
                        refused("/label", "required", "is empty")),
                    Step("ana", nearest, both),
                    Step("ana", "\(nearest)&group=g", luis),
                    Step("ana", "\(nearest)&at=2026-11-20T10:00:00Z&group=g", luis),
                    Step("ana", "\(nearest)&at=2026-11-20T10:00:00Z&label=none", #"200 {"items":[]}"#),
                    Step("ana", "\(nearest)&label=work", luis),
                    Step("ana", "\(nearest)&group=none", CallerRows.absent("group", "none")),
                    Step(
                        "ana", "GET /v1/people/ana/friends",
                        #"200 {"items":[{"id":"eva","name":"Eva"},{"id":"luis","name":"Luis","label":"work"}]}"#),
                    Step("ana", "GET /v1/people/ana/friends?label=work&fields=id", #"200 {"items":[{"id":"luis"}]}"#),
                    Step("luis", "GET /v1/people/luis/friends", #"200 {"items":[{"id":"ana","name":"Ana"}]}"#),
                    Step(
                        "luis", "GET /v1/people/luis/friends/nearest?fields=id,label", #"200 {"items":[{"id":"ana"}]}"#),
                    Step("luis", "GET /v1/people/ana?fields=id,name", #"200 {"id":"ana","name":"Ana"}"#),
                    Step(
                        "eva", "GET /v1/people/eva/friends/nearest?group=g", CallerRows.absent("group", "g")),
                    Step(
                        "ana", "POST /v1/query",
                        #"{"queries":[{"nearest":"friends","person":"ana","group":"g","fields":"id"},{"nearest":"friends","person":"ana","label":"x"}]}"#,
                        #"200 {"answers":[{"items":[{"id":"luis"}]},{"items":[]}]}"#),
                    Step(
                        "ana", "PATCH /v1/groups/g",
                        #"{"timetable":{"hours":"Sa 10:00-12:00","timezone":"Europe/Madrid"}}"#,
                        #"200 {"id":"g","name":"G","timetable":{"hours":"Sa 10:00-12:00","timezone":"Europe/Madrid"},"owner":"ana"}"#
                    ),
                    Step("ana", "\(nearest)&group=g", #"200 {"items":[]}"#),
                    Step("service", "\(nearest)&group=g", #"200 {"items":[]}"#),
                    Step("ana", nearest, both),
                    Step("ana", "DELETE /v1/people/ana/friends/luis/label", "204 "),
                    Step("ana", nearest, #"200 {"items":[{"id":"luis"},{"id":"eva"}]}"#),
                ], server, keys)
        }
    }
}
