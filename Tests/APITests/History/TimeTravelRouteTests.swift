import API
import Discovery
import Geo
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Requests about the past, and their exact answers.
@Suite struct TimeTravelRouteTests {
    /// Luis stays at one place, Ana passes by, and Eva is a stranger.
    private func populate(_ server: TestServer) async throws {
        try await server.add([("ana", nil), ("luis", nil), ("eva", nil), ("max", nil)])
        let pings: [(String, Int, Double)] = [
            ("luis", -7200, 0), ("luis", -4000, 0), ("luis", -600, 0), ("ana", -5400, 0.1), ("ana", -4400, 0.01),
            ("ana", -4000, 0.2),
            ("eva", -4000, 0.003),
        ]
        let reports = try pings.map { name, second, east in
            var report = PingReport(
                person: try ID(name), time: morning + .seconds(second), place: try place(0, east))
            report.details.accuracy = 10
            return report
        }
        for pair in [("ana", "luis")] {
            let friends = MakeFriends(try ID(pair.0), try ID(pair.1))
            try await server.engine.perform(friends, by: .service, at: morning - .seconds(9000))
        }
        try await server.engine.perform(Record(reports), by: .service, at: morning)
    }

    @Test("Answers about the past are exact") func answers() async throws {
        try await withServer { server in
            try await populate(server)
            try await expect(
                [
                    Exchange(
                        "GET /v1/people/luis/position?at=2026-11-20T09:00:00Z", nil,
                        #"200 {"id":"luis","lat":0,"lon":0,"at":"2026-11-20T08:00:00Z","seen_until":"2026-11-20T09:50:00Z","age_s":0,"basis":"seen","method":"last","uncertainty_m":700.1,"precision":"exact"}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/position?at=2026-11-20T08:38:20Z", nil,
                        #"200 {"id":"ana","lat":0,"lon":0.055,"at":"2026-11-20T08:30:00Z","next_at":"2026-11-20T08:46:40Z","age_s":500,"basis":"reach","method":"interpolated","uncertainty_m":174938.4,"precision":"exact"}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/friends/nearest?at=2026-11-20T08:46:40Z", nil,
                        #"200 {"items":[{"id":"luis","name":"Luis","lat":0,"lon":0,"distance_m":1113.2,"bearing":270,"at":"2026-11-20T08:00:00Z","seen_until":"2026-11-20T09:50:00Z","age_s":0,"basis":"seen","method":"last","uncertainty_m":700.1,"precision":"exact"}]}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/friends/nearest?at=2026-11-20T08:46:40Z&within_m=1000", nil,
                        #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/people/ana/friends/nearest?at=2026-11-20T08:46:40Z&beyond_m=1000&fields=id,age_s", nil,
                        #"200 {"items":[{"id":"luis","age_s":0}]}"#),
                    Exchange(
                        "GET /v1/nearby?lat=0&lon=0&within_m=2000&datetime=2026-11-20T08:40:00Z/2026-11-20T09:00:00Z",
                        nil,
                        #"200 {"items":[{"id":"luis","name":"Luis","lat":0,"lon":0,"distance_m":0,"bearing":0,"at":"2026-11-20T08:00:00Z","seen_until":"2026-11-20T09:50:00Z","age_s":0,"basis":"seen","method":"last","uncertainty_m":700.1,"precision":"exact"},{"id":"eva","name":"Eva","lat":0,"lon":0.003,"distance_m":334,"bearing":90,"at":"2026-11-20T08:53:20Z","age_s":0,"basis":"seen","method":"last","uncertainty_m":10.1,"precision":"exact"},{"id":"ana","name":"Ana","lat":0,"lon":0.01,"distance_m":1113.2,"bearing":90,"at":"2026-11-20T08:46:40Z","age_s":0,"basis":"seen","method":"last","uncertainty_m":10.1,"precision":"exact"}]}"#
                    ),
                    Exchange(
                        "GET /v1/nearby?lat=0&lon=0&within_m=2000&datetime=2026-11-20T08:40:00Z/..&limit=2&fields=id",
                        nil, #"200 {"items":[{"id":"luis"},{"id":"eva"}],"cursor":"…"}"#),
                    Exchange(
                        "GET /v1/nearby?lat=0&lon=0&within_m=2000&at=2026-11-20T08:46:30Z&fields=id,distance_m,next_at",
                        nil,
                        #"200 {"items":[{"id":"luis","distance_m":0},{"id":"ana","distance_m":1213.4,"next_at":"2026-11-20T08:46:40Z"}]}"#
                    ),
                    Exchange(
                        "GET /v1/nearby?lat=0&lon=0&within_m=1500&at=2026-11-20T08:46:30Z&fields=id,distance_m,basis",
                        nil,
                        #"200 {"items":[{"id":"luis","distance_m":0,"basis":"seen"},{"id":"ana","distance_m":1213.4,"basis":"reach"}]}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/encounters?with=luis&within_m=2000", nil,
                        #"200 {"items":[{"from":"2026-11-20T08:45:11.486Z","to":"2026-11-20T08:46:56.771Z","at":"2026-11-20T08:46:40Z","lat":0,"lon":0.01,"distance_m":1113.2,"basis":"seen","uncertainty_m":710.1}]}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/encounters?with=luis&datetime=../2026-11-20T09:00:00Z", nil,
                        #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/people/ana/encounters?with=luis&within_m=2000&datetime=2026-11-20T10:00:00Z/..", nil,
                        #"200 {"items":[]}"#),
                    Exchange("GET /v1/people/ana/encounters?with=max", nil, #"200 {"items":[]}"#),
                ], of: server)
            let cut = try await server.send(
                "GET /v1/nearby?lat=0&lon=0&within_m=2000&datetime=../..",
                headers: ["Accept": "application/geo+json"])
            #expect(
                cut.body.hasPrefix(
                    #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"id":"luis""#
                ))
            #expect(cut.headers.first(name: "cache-control") == "no-store")
        }
    }

    @Test("Cursors lead through all people who were there") func cursors() async throws {
        try await withServer { server in
            try await server.add(try (0..<23).map { ("p\($0)", try place(1, Double($0 / 3) / 1000)) })
            var path = "/v1/nearby?lat=1&lon=0&within_m=5000&datetime=../..&limit=4&fields=id"
            var found: [String] = []
            while true {
                let reply = try await server.send("GET \(path)")
                found += reply.body.matches(of: #/"id":"(p\d+)"/#).map { String($0.1) }
                guard let link = reply.headers.first(name: "link") else { break }
                path = String(link.dropFirst().prefix { $0 != ">" })
            }
            #expect(found.count == 23 && Set(found).count == 23)
        }
    }

    @Test("A scan that is cut off is marked as truncated") func truncation() async throws {
        try await withServer { configuration in
            configuration.limits.scan = 0
        } _: { server in
            try await server.add([("ana", try place(1, 0))])
            let reply = try await server.send("GET /v1/nearby?lat=1&lon=0&within_m=5000&datetime=../..&fields=id")
            #expect(reply.text == #"200 {"items":[{"id":"ana"}],"truncated":true}"#)
        }
    }

    @Test("`now` is the time of the request") func present() async throws {
        try await withServer { server in
            try await populate(server)
            for (now, same) in [
                ("/v1/people/ana/position?at=now", "/v1/people/ana/position"),
                ("/v1/people/luis/friends/nearest?at=now", "/v1/people/luis/friends/nearest"),
                (
                    "/v1/nearby?lat=0&lon=0&within_m=50000&at=now",
                    "/v1/nearby?lat=0&lon=0&within_m=50000&at=2026-11-20T10:00:00Z"
                ),
            ] {
                let reply = try await server.send("GET \(now)")
                #expect(try await server.send("GET \(same)").text == reply.text && reply.status == 200, "\(now)")
                #expect(reply.body.contains(#"{"id":""#), "\(reply.body)")
            }
        }
    }

    private func problem(_ status: String, _ code: String, _ detail: String, _ errors: String = "") -> String {
        let number = status.prefix(3)
        return
            #"\#(number) {"type":"about:blank","title":"\#(status.dropFirst(4))","status":\#(number),"code":"\#(code)","detail":"\#(detail)","instance":"…"\#(errors)}"#
    }

    private func bad(_ name: String, _ value: String, _ expected: String) -> String {
        problem(
            "400 Bad Request", "invalid_parameter", "'\(name)' is '\(value)'; must be \(expected).",
            #","errors":[{"pointer":"?\#(name)","code":"format","detail":"must be \#(expected)"}]"#)
    }

    private func missing(_ name: String) -> String {
        problem(
            "400 Bad Request", "invalid_parameter", "'\(name)' is required.",
            #","errors":[{"pointer":"?\#(name)","code":"required","detail":"is required"}]"#)
    }

    @Test("Invalid requests about the past are refused") func refusals() async throws {
        try await withServer { configuration in
            configuration.limits.radius = 50_000
        } _: { server in
            try await populate(server)
            let past = "an RFC 3339 time that is not in the future, or 'now'"
            try await expect(
                [
                    Exchange(
                        "GET /v1/people/ana/position?at=2026-11-20T10:00:00.001Z", nil,
                        bad("at", "2026-11-20T10:00:00.001Z", past)),
                    Exchange("GET /v1/people/ana/position?at=yesterday", nil, bad("at", "yesterday", past)),
                    Exchange(
                        "GET /v1/people/ana/position?at=2026-11-20T08:00:00Z", nil,
                        problem(
                            "409 Conflict", "no_position",
                            "The position of 'ana' then is not known: none is stored at or before that time.")),
                    Exchange(
                        "GET /v1/people/x/position?at=2026-11-20T08:00:00Z", nil,
                        problem("404 Not Found", "not_found", "There is no person 'x'.")),
                    Exchange(
                        "GET /v1/people/ana/friends/nearest?at=2027-01-01T00:00:00Z", nil,
                        bad("at", "2027-01-01T00:00:00Z", past)),
                    Exchange(
                        "GET /v1/people/max/friends/nearest?at=2026-11-20T08:00:00Z", nil,
                        problem(
                            "409 Conflict", "no_position",
                            "The position of 'max' then is not known: none is stored at or before that time.")),
                    Exchange("GET /v1/nearby?lat=0&lon=0&at=2026-11-20T08:00:00Z", nil, missing("within_m")),
                    Exchange("GET /v1/nearby?lat=0&within_m=1&at=2026-11-20T08:00:00Z", nil, missing("lon")),
                    Exchange(
                        "GET /v1/nearby?lat=0&lon=0&within_m=50001&at=2026-11-20T08:00:00Z", nil,
                        bad("within_m", "50001", "a number from 0 to 50000")),
                    Exchange(
                        "GET /v1/nearby?lat=0&lon=0&within_m=1", nil,
                        problem(
                            "400 Bad Request", "invalid_parameter",
                            "Either 'at' or 'datetime' is required, and not both.")),
                    Exchange(
                        "GET /v1/nearby?lat=0&lon=0&within_m=1&at=2026-11-20T08:00:00Z&datetime=../..", nil,
                        problem(
                            "400 Bad Request", "invalid_parameter",
                            "Either 'at' or 'datetime' is required, and not both.")),
                    Exchange("GET /v1/people/ana/encounters", nil, missing("with")),
                    Exchange("GET /v1/people/ana/encounters?with=%20", nil, bad("with", " ", "the id of a person")),
                    Exchange(
                        "GET /v1/people/ana/encounters?with=ana", nil,
                        problem("422 Unprocessable Content", "oneself", "The two must be different people.")),
                    Exchange(
                        "GET /v1/people/ana/encounters?with=x", nil,
                        problem("404 Not Found", "not_found", "There is no person 'x'.")),
                    Exchange(
                        "GET /v1/people/ana/encounters?with=luis&limit=0", nil,
                        bad("limit", "0", "a whole number from 1 to 1000")),
                ], of: server)
        }
    }
}
