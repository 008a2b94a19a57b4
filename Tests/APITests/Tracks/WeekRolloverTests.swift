import Foundation
import Interchange
import Model
import TestSupport
import Testing

/// Times of receivers whose GPS week number rolled over.
@Suite struct WeekRolloverTests {
    private static let rolled = morning - .seconds(1024 * 7 * 86_400)

    @Test("A time 1024 weeks ago is doubted to the week, and no other") func period() {
        for (days, isLikely) in [(-2.0, false), (-0.9, true), (0, true), (6.9, true), (7.1, false), (365, false)] {
            let time = Self.rolled - .seconds(days * 86_400)
            #expect(WeekRollover.isLikely(time, at: morning) == isLikely, "\(days)")
        }
        #expect(!WeekRollover.isLikely(morning, at: morning))
    }

    @Test("A track's position of such a time is refused with its row, and the others are stored") func tracks()
        async throws
    {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let file = "t,lat,lon\n\(Self.rolled.rfc3339),39.47,-0.376\n2007-01-02T08:00:00Z,39.48,-0.376\n"
            for query in ["&dry_run=true", ""] {
                let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana\(query)")
                #expect(
                    reply.body.contains(
                        #"{"row":2,"errors":[{"pointer":"/t","code":"refused","detail":"is 2007-04-06T10:00:00Z, 1024 weeks ago"#
                    ),
                    "\(reply.text)")
            }
            #expect(try await server.track("ana").hasPrefix("2007-01-02T08:00:00Z,39.48,"))
        }
    }

    @Test("A phone's position of such a time is unreadable, counted and named") func phones() async throws {
        try await withServer { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            let seconds = Self.rolled.milliseconds / 1000
            for path in ["osmand", "gpslogger"] {
                let line = "GET /ingest/\(path)?token=\(token)&lat=1&lon=2&timestamp=\(seconds)"
                #expect(try await server.send(line).text.hasPrefix("200 unreadable: the time is 1024 weeks ago; "))
            }
            let message = #"{"_type":"location","lat":1,"lon":2,"tst":\#(seconds)}"#
            let proof = ["authorization": "Bearer \(token)"]
            #expect(try await server.send("POST /ingest/owntracks", message, headers: proof).status == 200)
            #expect(try await server.stored(of: "ana").isEmpty)
            let counts = try await server.send("GET /v1/ingest").body
            #expect(counts.matches(of: #/"unreadable":1,"rolled_over_times":1/#).count == 3, "\(counts)")
        }
    }
}
