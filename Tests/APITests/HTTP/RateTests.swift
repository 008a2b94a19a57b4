import API
import Discovery
import Laws
import Model
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// Rate limits of callers.
@Suite struct RateTests {
    /// A clock that is set manually.
    private final class Clock: Sendable {
        private let time = Mutex(morning)

        var now: Timestamp { time.withLock { $0 } }
        func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
    }

    private func withLimits(_ body: (TestServer, TestKeys, Clock) async throws -> Void) async throws {
        let clock = Clock()
        try await withKeys { configuration in
            configuration.rates.person = Rate(perSecond: 2, saved: .seconds(2))
            configuration.rates.service = Rate(perSecond: 0)
            configuration.rates.address = Rate(perSecond: 1, saved: .seconds(3))
        } now: {
            clock.now
        } _: { server, keys, _ in
            try await body(server, keys, clock)
        }
    }

    @Test("A person is stopped beyond the rate, and continues in time") func personRate() async throws {
        try await withLimits { server, keys, clock in
            func statuses(_ count: Int, _ name: String) async throws -> [Int] {
                var statuses: [Int] = []
                for _ in 0..<count {
                    statuses.append(try await server.send("GET /v1/products", token: keys.person(name)).status)
                }
                return statuses
            }
            #expect(try await statuses(5, "ana") == [200, 200, 200, 200, 429])
            #expect(try await statuses(1, "luis") == [200], "others are not concerned")
            let start = ContinuousClock.now
            #expect(try await statuses(1, "ana") == [429])
            #expect(ContinuousClock.now - start >= .milliseconds(50), "who sends on and on keeps no core busy")
            let reply = try await server.send("GET /v1/products", token: keys.person("ana"))
            #expect(
                reply.text
                    == problem(
                        429, "Too Many Requests", "too_many_requests", "Too many requests: try again in 1 s."))
            #expect(reply.headers["retry-after"] == ["1"])
            clock.advance(by: .milliseconds(499))
            #expect(try await statuses(1, "ana") == [429])
            clock.advance(by: .milliseconds(1))
            #expect(try await statuses(2, "ana") == [200, 429])
            clock.advance(by: .seconds(20))
            #expect(try await statuses(5, "ana") == [200, 200, 200, 200, 429], "no more is saved up than was agreed")
            clock.advance(by: .seconds(-3600))
            #expect(try await statuses(1, "ana") == [429])
            clock.advance(by: .milliseconds(500))
            #expect(try await statuses(1, "ana") == [200], "a clock that is set back locks nobody out")
        }
    }

    @Test("A person sees the number of remaining requests") func remainingRequests() async throws {
        try await withLimits { server, keys, clock in
            for (token, pause, expected) in [
                (keys.person("ana"), 0, ["4", "3", "1"]), (keys.person("ana"), 0, ["4", "2", "1"]),
                (keys.person("ana"), 0, ["4", "1", "2"]), (keys.person("ana"), 0, ["4", "0", "2"]),
                // A refusal has the headers too.
                (keys.person("ana"), 0, ["4", "0", "2"]), (keys.person("ana"), 20, ["4", "3", "1"]),
                // Services send any number.
                (keys.service, 0, ["", "", ""]),
            ] {
                clock.advance(by: .seconds(pause))
                let headers = try await server.send("GET /v1/products", token: token).headers
                let reported = ["limit", "remaining", "reset"].map { headers.first(name: "ratelimit-\($0)") ?? "" }
                #expect(reported == expected)
            }
        }
    }

    /// Ana sends in one batch what Luis sends in separate requests.
    @Test("A batch gives a person no more than separate requests") func batchRate() async throws {
        try await withLimits { server, keys, _ in
            let queries = Array(repeating: #"{"product":"pump"}"#, count: 9).joined(separator: ",")
            let batch = #"{"queries":[\#(queries)]}"#
            var alone = 0
            for _ in 0..<9
            where try await server.send("GET /v1/products/pump", token: keys.person("luis")).status != 429 {
                alone += 1
            }
            func answered(_ token: String) async throws -> Int {
                let reply = try await server.send("POST /v1/query", batch, token: token)
                let refused = reply.body.matches(of: /"code":"too_many_requests"/).count
                return reply.status == 200 ? 9 - refused : 0
            }
            let together = try await answered(keys.person("ana"))
            #expect(1...alone ~= together && alone < 9, "\(together) together, \(alone) alone")
            #expect(try await server.send("GET /v1/products/pump", token: keys.person("ana")).status == 429)
            #expect(try await answered(keys.service) == 9)
        }
    }

    @Test("An address is stopped after invalid tokens, but not its callers with valid ones")
    func addressRate() async throws {
        try await withLimits { server, keys, _ in
            for status in [401, 401, 401, 429] {
                let reply = try await server.send("GET /v1/products", token: "guess")
                #expect(reply.status == status)
            }
            #expect(try await server.send("GET /livez").status == 429)
            #expect(try await server.send("GET /v1/products", token: keys.person("ana")).status == 200)
            for _ in 0..<50 {
                #expect(try await server.send("GET /v1/products", token: keys.service).status == 200)
            }
        }
    }

    @Test(
        "Every finite rate can be enforced",
        arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e-9, 1e-3, 1, 1e300, .greatestFiniteMagnitude])
    func finiteRates(perSecond: Double) {
        for saved in [Duration.zero, .seconds(10), .seconds(3_200_000_000)] {
            let limiter = RateLimiter<Int>()
            let rate = Rate(perSecond: perSecond, saved: saved)
            let waits = (0..<3).map { _ in limiter.take(from: 1, rate, at: morning) }
            #expect(waits[0] == nil, "\(perSecond), \(saved)")
            if perSecond < 1e-9 { #expect(waits[2].map { $0 >= .seconds(1_000_000_000) } ?? false, "\(waits)") }
        }
        #expect(RateLimiter<Int>().take(from: 1, Rate(perSecond: 0), at: morning) == nil)
    }

    @Test("The memory of a limiter is bounded, whatever callers there are") func boundedMemory() {
        let limiter = RateLimiter<Int>(capacity: 1000)
        let rate = Rate(perSecond: 1, saved: .seconds(1))
        for key in 0..<RandomCases.count(10_000, all: 100_000) {
            #expect(limiter.take(from: key, rate, at: morning) == nil)
            #expect(limiter.take(from: key, rate, at: morning) == .seconds(1), "the newest is remembered")
        }
        #expect(limiter.count <= 2000)
    }

    @Test("Work is paid for afterward") func debts() {
        let limiter = RateLimiter<Int>()
        let rate = Rate(perSecond: 2, saved: .seconds(2))
        #expect(limiter.take(from: 1, rate, at: morning) == nil)
        limiter.owe(9, by: 1, rate, at: morning)
        // One of four saved requests is used, so six of the nine are owed, and one more must be available.
        #expect(limiter.take(from: 1, rate, at: morning) == .milliseconds(3500))
        #expect(limiter.take(from: 1, rate, at: morning + .milliseconds(3499)) == .milliseconds(1))
        #expect(limiter.take(from: 2, rate, at: morning) == nil, "others are not concerned")
        #expect(limiter.take(from: 1, rate, at: morning + .milliseconds(3500)) == nil)
        limiter.owe(1e300, by: 1, rate, at: morning)
        let wait = limiter.take(from: 1, rate, at: morning)
        #expect(wait == .milliseconds(60_500), "nobody is locked out for longer than a minute, whatever it was")
        limiter.owe(-5, by: 2, rate, at: morning)
        for _ in 0..<3 { #expect(limiter.take(from: 2, rate, at: morning) == nil) }
        #expect(limiter.take(from: 2, rate, at: morning) == .milliseconds(500), "little work is not paid back")
    }

    @Test("A large batch counts as several requests, and a small one as one") func costOfBatch() async throws {
        try await withLimits { server, keys, clock in
            try await server.send("PUT /v1/people/ana", "{}", token: keys.service)
            func send(_ count: Int) async throws -> TestServer.Reply {
                let pings = (0..<count).map { "{\"person\":\"ana\",\"t\":\(1_700_000_000 + $0),\"lat\":1,\"lon\":1}" }
                return try await server.send(
                    "POST /v1/pings", "[\(pings.joined(separator: ","))]", token: keys.person("ana"))
            }
            for _ in 0..<4 { #expect(try await send(10).status == 200) }
            #expect(try await send(10).status == 429)
            clock.advance(by: .seconds(20))
            #expect(try await send(2000).status == 200)
            let refused = try await send(1)
            #expect(refused.status == 429)
            let seconds = try #require(refused.headers["retry-after"].first.flatMap(Int64.init))
            #expect(seconds > 2, "as many as were saved are used up")
            clock.advance(by: .seconds(seconds))
            #expect(try await send(1).status == 200)
        }
    }

    /// Four answers of 110 KB are less work than the allowance of four requests.
    @Test("Each query of a batch has the work allowance of a request") func workPerQuery() async throws {
        try await withLimits { server, keys, clock in
            let text = String(repeating: "x", count: 2000)
            let attributes = (0..<55).map { "\"a\($0)\":\"\(text)\"" }.joined(separator: ",")
            let place = #"{"kind":"topic","name":"W","attributes":{\#(attributes)}}"#
            try await server.send("PUT /v1/places/wide", place, token: keys.service)
            let queries = Array(repeating: #"{"place":"wide"}"#, count: 4).joined(separator: ",")
            let headers = ["authorization": "Bearer \(keys.person("ana"))", "accept-encoding": "identity"]
            let reply = try await server.send("POST /v1/query", #"{"queries":[\#(queries)]}"#, headers: headers)
            #expect(reply.status == 200 && reply.body.utf8.count > 4 * 110_000)
            #expect(try await server.send("GET /v1/places/wide", token: keys.person("ana")).status == 429)
            clock.advance(by: .milliseconds(500))
            #expect(try await server.send("GET /v1/places/wide", token: keys.person("ana")).status == 200)
        }
    }

    /// No place is shown, so only the search is charged.
    @Test("A search for a frequent word is charged for its matches") func frequentWord() async throws {
        try await withKeys { configuration in
            configuration.rates.address.perSecond = 0
        } _: { server, keys, _ in
            let places = try (0..<4000).map { number in
                Write(Place(id: try ID("p\(number)"), kind: "bar", name: "Mayor \(number)"))
            }
            try await server.engine.perform(PutPlaces(places), by: .service, at: morning)
            // A list by relevance also reads the matches in the names, here the same again, and those as typed.
            for (name, text, left) in [
                ("ana", "nada", "199"), ("luis", "mayor&sort=newest", "197"), ("marta", "mayor", "194"),
            ] {
                let reply = try await server.send("GET /v1/places?q=\(text)&owner=eva", token: keys.person(name))
                #expect(reply.text == #"200 {"items":[]}"#)
                #expect(reply.headers.first(name: "ratelimit-remaining") == left)
            }
        }
    }

    @Test("A batch of searches ends at the limit of a person's debt") func batchOfSearches() async throws {
        try await withKeys { configuration in
            configuration.rates.address.perSecond = 0
            configuration.rates.person = Rate(perSecond: 1, saved: .seconds(100))
        } _: { server, keys, _ in
            let query = #"{"list":"places","q":"a b c d e f g h"}"#
            let batch = #"{"queries":[\#(Array(repeating: query, count: 40).joined(separator: ","))]}"#
            let reply = try await server.send("POST /v1/query", batch, token: keys.person("ana"))
            let found = reply.body.matches(of: /"items":\[\]/).count
            let refused = reply.body.matches(of: /This is more work than the rate limit allows at once/).count
            #expect(found > 0 && refused > 0 && found + refused == 40, "\(found), \(refused)")
        }
    }

    @Test("A stream of a service is one request, whatever its length") func streams() async throws {
        try await withKeys { configuration in
            configuration.rates.service = Rate(perSecond: 1, saved: .seconds(3))
        } _: { server, keys, _ in
            let about = String(repeating: "x", count: 4000)
            let rows = (0..<300).map { "{\"id\":\"p\($0)\",\"about\":\"\(about)\"}\n" }.joined()
            let type = "application/x-ndjson"
            let headers = ["authorization": "Bearer \(keys.service)", "accept-encoding": "identity"]
            for (line, body, status) in [
                ("POST /v1/imports/people", rows, 200), ("GET /v1/exports/people", nil, 200),
                ("POST /v1/imports/people", rows, 200), ("GET /v1/exports/people", nil, 429),
            ] as [(String, String?, Int)] {
                let reply = try await server.send(line, body, type: type, headers: headers)
                #expect(reply.status == status)
            }
        }
    }

    @Test("Devices of a person share the person's rate") func devices() async throws {
        try await withLimits { server, keys, _ in
            try await server.send("PUT /v1/people/ana", "{}", token: keys.service)
            var tokens = [keys.person("ana")]
            for device in ["a", "b"] {
                let reply = try await server.send(
                    "POST /v1/people/ana/devices", "{\"id\":\"\(device)\"}", token: keys.service)
                tokens.append(String(try #require(reply.body.firstMatch(of: /"token":"([^"]+)"/)?.1)))
            }
            var statuses: [Int] = []
            for number in 0..<6 {
                let ping = #"{"person":"ana","lat":1,"lon":1}"#
                statuses.append(try await server.send("POST /v1/pings", ping, token: tokens[number % 3]).status)
            }
            #expect(statuses == [200, 200, 200, 200, 429, 429])
        }
    }
}
