import API
import Discovery
import Foundation
import Model
import NIOHTTP1
import TestSupport
import Testing

/// The property `tokens_not_before`, which ends a person's tokens before they expire.
@Suite(.timeLimit(.minutes(60))) struct EndedTokenTests {
    private static let ended = problem(
        401, "Unauthorized", "invalid_token",
        "The token was issued before its person's 'tokens_not_before', or has no time of issue (iat).")

    /// A token issued `issued` seconds after the morning, or without `iat` if nil.
    private func token(_ person: String, issued: Double?, _ keys: TestKeys) -> String {
        let issued = issued.map { #","iat":\#(Double(TestKeys.now) + $0)"# } ?? ""
        return keys.own(#""sub":"\#(person)","scope":"person"\#(issued)"#)
    }

    private func end(_ person: String, _ value: String, _ token: String, _ server: TestServer) async throws
        -> TestServer.Reply
    {
        try await server.send("PATCH /v1/people/\(person)", #"{"tokens_not_before":\#(value)}"#, token: token)
    }

    @Test("Tokens that were issued before `tokens_not_before` are refused, and all others are valid")
    func issuedBefore() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            let device = try await server.send(
                "POST /v1/people/ana/devices", #"{"id":"phone"}"#, token: keys.person("ana"))
            let phone = String(try #require(device.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
            let tokens = [-2, -1, -0.5, 0, 5, nil].map { token("ana", issued: $0, keys) }
            for token in tokens {
                #expect(try await server.send("GET /v1/people/ana?fields=id", token: token).status == 200)
            }
            #expect(try await end("ana", #""2026-11-20T09:59:59Z""#, keys.service, server).status == 200)
            for (token, isGood) in zip(tokens, [false, true, true, true, true, false]) {
                let reply = try await server.send("GET /v1/people/ana?fields=id", token: token)
                #expect(reply.text == (isGood ? #"200 {"id":"ana"}"# : Self.ended))
                #expect(isGood || reply.headers["www-authenticate"].joined().contains("invalid_token"))
            }
            let ping = #"{"person":"ana","lat":39.5,"lon":-0.4}"#
            #expect(
                try await server.send("POST /v1/pings", ping, token: phone).status == 200, "a device has its own end")
            #expect(try await server.send("GET /v1/people/luis?fields=id", token: keys.person("luis")).status == 200)
            #expect(try await server.send("GET /v1/people/ana?fields=id", token: keys.service).status == 200)
            let acting = ["authorization": "Bearer \(keys.service)", "cerca-acting-as": "ana"]
            #expect(try await server.send("GET /v1/people/ana?fields=id", headers: acting).status == 200)
        }
    }

    @Test("A token issued more than five minutes in the future is refused") func issuedInFuture() async throws {
        let clock = SteppedClock()
        try await withKeys(now: { clock.now }) { server, keys, _ in
            try await server.add([("ana", nil)])
            func status(_ issued: Double) async throws -> Int {
                let claims = #""sub":"ana","scope":"person","iat":\#(Double(TestKeys.now) + issued)"#
                let token = keys.own(claims, exp: TestKeys.now + 90_000_000)
                return try await server.send("GET /v1/people/ana", token: token).status
            }
            for (issued, expected) in [(-86_400.0, 200), (300, 200), (301, 401), (31_536_000, 401), (1e300, 401)] {
                #expect(try await status(issued) == expected, "\(issued)")
            }
            // So no token stays valid after its person ended all tokens, except for those minutes.
            #expect(try await end("ana", #""2026-11-20T10:00:00Z""#, keys.service, server).status == 200)
            #expect(try await status(86_400) == 401)
            clock.advance(1)
            #expect(try await status(301) == 200, "the time has come")
        }
    }

    @Test("A clock that is put back does not make an expired token valid") func clockPutBack() async throws {
        let clock = SteppedClock()
        try await withKeys(now: { clock.now }) { server, keys, _ in
            try await server.add([("ana", nil)])
            let token = keys.person("ana")
            for minute in 0...60 {
                try await server.engine.observe(clock: clock.now, elapsed: .seconds(minute * 60))
                clock.advance(60)
            }
            #expect(try await server.send("GET /v1/people/ana", token: token).status == 401)
            clock.advance(-3660)
            try await server.engine.observe(clock: clock.now, elapsed: .seconds(3660))
            #expect(try await server.send("GET /v1/people/ana", token: token).status == 401)
        }
    }

    @Test("Persons end their own tokens, and only services make them valid again") func reset() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            let (old, new) = (token("ana", issued: -9, keys), token("ana", issued: 1, keys))
            // A future time counts as now, in whole seconds.
            let reply = try await end("ana", #""2030-01-01T00:00:00.5Z""#, old, server)
            #expect(reply.status == 200 && reply.body.hasSuffix(#""tokens_not_before":"2026-11-20T10:00:00Z"}"#))
            #expect(try await server.send("GET /v1/people/ana", token: old).text == Self.ended)
            let back = problem(
                403, "Forbidden", "not_allowed",
                "'tokens_not_before' is 2026-11-20T10:00:00Z: only services can set it back or remove it.")
            for value in [#""2026-11-20T09:00:00Z""#, "null", "0"] {
                #expect(try await end("ana", value, new, server).text == back, "\(value)")
            }
            #expect(try await end("ana", #""2026-11-20T10:00:00Z""#, new, server).status == 200)
            #expect(
                try await end("ana", #""2026-11-20T09:00:00Z""#, token("luis", issued: 1, keys), server).status == 403)
            // A write keeps members that it does not mention.
            #expect(try await server.send("PUT /v1/people/ana", #"{"name":"Ana"}"#, token: keys.service).status == 200)
            #expect(try await server.send("GET /v1/people/ana", token: old).status == 401)
            #expect(try await end("ana", "null", keys.service, server).status == 200)
            #expect(try await server.send("GET /v1/people/ana", token: old).status == 200)
        }
    }

    @Test("A token that was ended does not create its deleted person again, also after a restart")
    func outlivesDeletion() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            #expect(try await end("ana", #""2026-11-20T09:59:59Z""#, keys.service, server).status == 200)
            let (old, new) = (token("ana", issued: -2, keys), token("ana", issued: 1, keys))
            for person in ["ana", "luis"] {
                #expect(try await server.send("DELETE /v1/people/\(person)", token: keys.service).status == 204)
            }
            func create(_ token: String, _ person: String, _ server: TestServer) async throws -> TestServer.Reply {
                try await server.send("PUT /v1/people/\(person)", #"{"name":"Ana"}"#, token: token)
            }
            #expect(try await create(old, "ana", server).text == Self.ended)
            #expect(try await create(token("luis", issued: -2, keys), "luis", server).status == 201)
            #expect(try await create(new, "ana", server).status == 201)
            #expect(try await create(old, "ana", server).text == Self.ended, "for the new person, too")
            // The latest end of an id counts.
            #expect(try await end("ana", #""2026-11-20T10:00:00Z""#, keys.service, server).status == 200)
            #expect(try await server.send("DELETE /v1/people/ana", token: keys.service).status == 204)
            #expect(try await create(token("ana", issued: -0.5, keys), "ana", server).text == Self.ended)
            #expect(try await create(new, "ana", server).status == 201)
            let again = try Engine(store: server.store, gazetteer: gazetteer, rules: PingRules())
            for (person, isEnded) in [("ana", true), ("luis", false)] {
                let id: PersonID = try ID(person)
                let found = again.read { $0.hasEnded(tokenOf: id, issued: morning - .milliseconds(500)) }
                #expect(found == isEnded, "\(person)")
            }
        }
    }

    @Test("A deletion of several turns keeps the end of tokens", arguments: [false, true])
    func longDeletion(byService: Bool) async throws {
        try await withKeys({ $0.rates.address.perSecond = 0 }) { server, keys, _ in
            try await server.add([("ana", nil)] + (0..<300).map { ("friend\($0)", nil) })
            for number in 0..<300 {
                try await server.send("PUT /v1/people/ana/friends/friend\(number)", token: keys.service)
            }
            let (old, new) = (token("ana", issued: -2, keys), token("ana", issued: 1, keys))
            #expect(try await end("ana", #""2026-11-20T09:59:59Z""#, new, server).status == 200)
            let deletion = try await server.send("DELETE /v1/people/ana", token: byService ? keys.service : new)
            #expect(deletion.status == 204, "\(deletion.body)")
            #expect(try await server.send("PUT /v1/people/ana", "{}", token: old).text == Self.ended)
        }
    }

    @Test("A service sets back the bound that a person has from a deleted one") func setBackAfterDeletion() async throws
    {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil)])
            let old = token("ana", issued: nil, keys)
            #expect(try await end("ana", #""2026-11-20T09:59:59Z""#, keys.service, server).status == 200)
            #expect(try await server.send("DELETE /v1/people/ana", token: keys.service).status == 204)
            #expect(try await server.send("PUT /v1/people/ana", "{}", token: keys.service).status == 201)
            let person = try await server.send("GET /v1/people/ana", token: keys.service)
            #expect(person.body.contains(#""tokens_not_before":"2026-11-20T09:59:59Z""#), "\(person.body)")
            #expect(try await server.send("GET /v1/people/ana", token: old).text == Self.ended)
            #expect(try await end("ana", "null", keys.service, server).status == 200)
            #expect(try await server.send("GET /v1/people/ana", token: old).status == 200)
            let again = try Engine(store: server.store, gazetteer: gazetteer, rules: PingRules())
            let ana: PersonID = try ID("ana")
            #expect(!again.read { $0.hasEnded(tokenOf: ana, issued: nil) })
        }
    }

    @Test("Tokens end although the service's clock is behind") func clockBehind() async throws {
        let clock = SteppedClock()
        try await withKeys(now: { clock.now }) { server, keys, _ in
            try await server.add([("ana", nil)])
            for minute in 0...60 {
                try await server.engine.observe(clock: clock.now, elapsed: .seconds(minute * 60))
                clock.advance(60)
            }
            let stolen = keys.own(
                #""sub":"ana","scope":"person","iat":\#(Double(TestKeys.now) + 3000)"#, exp: TestKeys.now + 90_000)
            let present = Date(timeIntervalSince1970: Double(clock.now.milliseconds / 1000)).ISO8601Format()
            clock.advance(-86_400)
            try await server.engine.observe(clock: clock.now, elapsed: .seconds(3660))
            #expect(try await server.send("GET /v1/people/ana", token: stolen).status == 200)
            let service = keys.own(#""sub":"backend","scope":"service""#, exp: TestKeys.now + 90_000)
            #expect(try await end("ana", "\"\(present)\"", service, server).status == 200)
            #expect(try await server.send("GET /v1/people/ana", token: stolen).text == Self.ended)
        }
    }

    @Test("`tokens_not_before` is visible to the person and services only") func visibility() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            let friends = MakeFriends(try ID("ana"), try ID("luis"))
            try await server.engine.perform(friends, by: .service, at: morning)
            let reported = #""tokens_not_before":"2026-11-20T09:00:00Z""#
            #expect(try await end("ana", #""2026-11-20T09:00:00Z""#, keys.service, server).body.contains(reported))
            for (caller, isReported) in [
                (keys.service, true), (token("ana", issued: 0, keys), true), (token("luis", issued: 0, keys), false),
            ] {
                let reply = try await server.send("GET /v1/people/ana", token: caller)
                #expect(reply.status == 200 && reply.body.contains(reported) == isReported, "\(reply.body)")
            }
            // It is in exports for services. An import that does not mention it keeps it.
            let table = try await server.send(
                "GET /v1/exports/people", headers: ["authorization": "Bearer \(keys.service)", "accept": "text/csv"])
            #expect(table.body.contains("2026-11-20T09:00:00Z"), "\(table.body)")
            for text in ["id,name\nana,Ana\n", "id,tokens_not_before\nana,\n"] {
                let reply = try await server.send(
                    "POST /v1/imports/people", text, token: keys.service, type: "text/csv")
                #expect(reply.status == 200)
                #expect(try await server.send("GET /v1/people/ana", token: keys.service).body.contains(reported))
            }
            let wrong = try await end("ana", #""soon""#, keys.service, server)
            #expect(wrong.status == 400 && wrong.body.contains("/tokens_not_before: is not a time"), "\(wrong.body)")
        }
    }

    @Test("Streams and tickets end with the token") func streamsAndTickets() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", try place(39.47, -0.376)), ("luis", nil)])
            let old = token("ana", issued: -9, keys)
            let header = ["authorization": "Bearer \(old)"]
            let made = try await server.send("POST /v1/events/tickets", token: old)
            let ticket = try #require(made.body.firstMatch(of: #/"ticket":"([^"]+)"/#)?.1)
            var events = try await EventSource(server, "/v1/events", headers: header)
            var friends = try await EventSource(server, "/v1/people/ana/friends/nearest", headers: header)
            #expect(try await events.next().type == "ping.moved")
            #expect(try await friends.next().type == "reset")
            #expect(try await end("ana", #""2026-11-20T10:00:00Z""#, keys.service, server).status == 200)
            // An event that the stream would send.
            try await server.send("PUT /v1/people/luis/friends/ana", token: keys.service)
            try await server.send("PUT /v1/people/ana/friends/luis", token: keys.service)
            #expect(await events.ends())
            #expect(await friends.ends())
            #expect(try await server.send("GET /v1/events?ticket=\(ticket)").text == Self.ended)
        }
    }

    @Test("A stream ends when its token expires") func expiredStream() async throws {
        let clock = SteppedClock()
        try await withKeys(now: { clock.now }) { server, keys, _ in
            try await server.add([("ana", try place(39.47, -0.376)), ("luis", nil)])
            let service = keys.own(#""sub":"backend","scope":"service""#, exp: TestKeys.now + 600)
            let header = ["authorization": "Bearer \(keys.person("ana"))"]
            var events = try await EventSource(server, "/v1/events", headers: header)
            var friends = try await EventSource(server, "/v1/people/ana/friends/nearest", headers: header)
            #expect(try await events.next().type == "ping.moved")
            #expect(try await friends.next().type == "reset")
            clock.advance(60)
            // An event that the stream would send.
            try await server.send("PUT /v1/people/luis/friends/ana", token: service)
            try await server.send("PUT /v1/people/ana/friends/luis", token: service)
            #expect(await events.ends())
            #expect(await friends.ends())
        }
    }
}
