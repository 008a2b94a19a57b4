import API
import Foundation
import Geo
import NIOHTTP1
import Testing

/// Requests of real phones and their exact answers.
@Suite struct PhoneTests {
    @Test("Each app is answered in its own format, and its positions are stored") func apps() async throws {
        try await withServer { server in
            for (rows, name) in [
                (OwnTracksRows.all, "owntracks"), (OsmAndRows.all, "osmand"), (OverlandRows.all, "overland"),
                (GPSLoggerRows.all, "gpslogger"),
            ] {
                for row in rows {
                    let token = try await server.phone(of: "ana", named: "Ana")
                    for send in row.sends {
                        let reply = try await server.send(send, token)
                        #expect(reply.text == send.reply, "\(name): \(row.name): \(send.line)")
                    }
                    #expect(try await server.stored(of: "ana") == row.stored, "\(name): \(row.name)")
                    try await server.send("DELETE /v1/people/ana")
                }
            }
        }
    }

    @Test("A request without a valid token stores nothing") func withoutToken() async throws {
        try await withServer { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            for line in [
                "POST /ingest/owntracks", "POST /ingest/owntracks/pub", "POST /pub", "POST /ingest/overland",
                "GET /ingest/osmand?id=\(token)&lat=1&lon=2", "POST /ingest/osmand/x?lat=1&lon=2",
                "GET /ingest/gpslogger?lat=1&lon=2&token=\(token)x",
                "POST /ingest/gpslogger?lat=1&lon=2&Token=\(token)",
            ] {
                let reply = try await server.send(
                    PhoneSend(line, [:], line.hasPrefix("GET") ? "" : "{}", reply: ""), token)
                let hasToken = line.contains("token=")
                #expect(reply.text == CallerRows.refusal(hasToken ? "any" : nil), "\(line)")
            }
            #expect(try await server.stored(of: "ana").isEmpty)
        }
    }

    @Test("Only the methods of the apps are allowed") func methods() async throws {
        try await withServer { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            for (line, allowed) in [
                ("GET /ingest/owntracks", "POST"), ("DELETE /ingest/osmand/a/b", "GET, HEAD, POST"),
                ("PUT /ingest/gpslogger", "GET, HEAD, POST"), ("GET /ingest/overland", "POST"),
            ] {
                let reply = try await server.send(
                    PhoneSend(line, ["authorization": "Bearer {token}"], reply: ""), token)
                #expect(reply.status == 405 && reply.headers["allow"] == [allowed], "\(line)")
            }
            #expect(try await server.send("GET /ingest").status == 404)
        }
    }

    @Test("A name of another person in a request is ignored") func foreignNames() async throws {
        try await withServer { server in
            try await server.add([("eva", nil)])
            let token = try await server.phone(of: "ana", named: "Ana")
            for send in [OwnTracksRows.all[0].sends[0], OsmAndRows.all[3].sends[0], OverlandRows.all[0].sends[0]] {
                #expect(try await server.send(send, token).status == 200)
            }
            #expect(try await server.stored(of: "eva").isEmpty)
        }
    }

    @Test("A phone beyond the rate limit is asked to wait, not refused") func rateLimit() async throws {
        try await withServer {
            $0.rates.person = Rate(perSecond: 1, saved: .seconds(2))
        } _: { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            let send = PhoneSend("POST /ingest/owntracks", ["authorization": "Bearer {token}"], reply: "")
            for status in [200, 200, 503] {
                let reply = try await server.send(send, token)
                #expect(reply.status == status)
                #expect(reply.headers["retry-after"] == (status == 503 ? ["1"] : []))
            }
            // This form of request is also compared with the description.
            let described = ["authorization": "Bearer \(token)"]
            #expect(try await server.send("POST /ingest/owntracks", "{}", headers: described).status == 503)
            let bad = PhoneSend("POST /ingest/owntracks", ["authorization": "Bearer x"], reply: "")
            var statuses: Set<Int> = []
            for _ in 0..<120 { statuses.insert(try await server.send(bad, token).status) }
            #expect(statuses == [401, 503])
        }
    }

    @Test("Compressed bodies are read") func compression() async throws {
        try await withServer { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            // printf '{"_type":"location","lat":39.47,"lon":-0.376,"tst":1795168700}' | gzip -n9 | base64
            let packed = [UInt8](try #require(Data(base64Encoded: Self.gzipped)))
            let proof: KeyValuePairs = ["authorization": "Bearer {token}", "content-encoding": "gzip"]
            let ok = ownTracksSelf("39.47", "-0.376")
            for (bytes, reply) in [(packed, ok), (packed.dropLast(9), "200 []"), ([1, 2, 3], "200 []")] {
                let send = PhoneSend("POST /ingest/owntracks", proof, bytes: Array(bytes), reply: reply)
                #expect(try await server.send(send, token).text == reply)
            }
            let unknown: KeyValuePairs = ["authorization": "Bearer {token}", "content-encoding": "br"]
            let send = PhoneSend("POST /ingest/owntracks", unknown, "{}", reply: "200 []")
            #expect(try await server.send(send, token).text == send.reply)
        }
    }

    @Test("A phone's long body needs a slot for files, and a short one does not") func longBodies() async throws {
        try await withServer {
            $0.limits.bodyOfPerson = 1024
            $0.limits.files = ConcurrencyLimit(atOnce: 0, waiting: 0)
        } _: { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            for (blanks, status) in [(900, 200), (1100, 503)] {
                let send = PhoneSend.overland(#"{"locations":[]}"# + String(repeating: " ", count: blanks))
                for send in [send, try send.compressed()] {
                    #expect(try await server.send(send, token).status == status, "\(blanks)")
                }
            }
        }
    }

    private static let gzipped =
        "H4sIAAAAAAACA6tWii+pLEhVslLKyU9OLMnMz1PSUcpJLFGyMrbUMzEHsoEiVroGesbmZjpKJcVACUNzS1NDMwtzA4NaAK4SRYA+AAAA"

    /// Like batches of Overland after days offline: thousands of positions with 25 or more values.
    @Test("Long batches are read completely", arguments: [false, true])
    func longBatches(isCompressed: Bool) async throws {
        try await withServer { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            let motion = #","motion":[\#(Array(repeating: "0", count: 20).joined(separator: ","))]"#
            let features = (0..<9000).map { number in
                let time = [7 + number / 3600, number / 60 % 60, number % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
                return OverlandRows.feature("39.47", "2026-11-20T\(time.joined(separator: ":"))Z", motion)
            }
            let send = PhoneSend.overland(#"{"locations":[\#(features.joined(separator: ","))]}"#)
            let reply = try await server.send(isCompressed ? send.compressed() : send, token)
            #expect(reply.text == #"200 {"result":"ok"}"#)
            let counted = try await server.send("GET /v1/ingest").body
            #expect(counted.contains(#""overland":{"requests":1,"skipped":0,"unreadable":0,"#), "\(counted)")
            #expect(try await server.stored(of: "ana").last?.contains("2026-11-20T09:29:59Z") ?? false)
        }
    }

    /// A phone forgets acknowledged data.
    @Test("A body that is too large is not acknowledged") func tooLarge() async throws {
        try await withServer {
            $0.limits.body = 1000
        } _: { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            let wide = PhoneSend.overland(#"{"locations":[]\#(String(repeating: " ", count: 4 << 20))}"#)
            let values = String(repeating: "0,", count: 200_000)
            for send in [
                wide, try wide.compressed(), .overland(#"{"locations":[{"geometry":[\#(values)0]}]}"#),
                .overland(#"{"locations":[],"a":[\#(values)0]}"#),
            ] {
                let reply = try await server.send(send, token)
                #expect(reply.status == 413 && reply.body.contains(#""code":"body_too_large""#), "\(reply.text)")
            }
            for body in ["{\"locations\":[7]", "{\"locations\":[7]}7", "[7]", "{\"locations\":7}"] {
                #expect(try await server.send(.overland(body), token).text == #"200 {"result":"ok"}"#, "\(body)")
            }
        }
    }

    @Test("A batch of several megabytes is read, and a longer one is refused") func batchSize() async throws {
        try await withServer {
            $0.limits.body = 1000; $0.limits.batch = 300
        } _: { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            let wide = String(repeating: " ", count: 600)
            func batch(_ count: Int) -> PhoneSend {
                let features = (0..<count).map {
                    OverlandRows.feature(
                        "\(39 + Double($0) / 100)", "2026-11-1\($0 % 9)T00:00:00Z", ",\"wifi\":\"\(wide)\"")
                }
                return .overland(#"{"locations":[\#(features.joined(separator: ","))]}"#)
            }
            for (count, status) in [(1000, 200), (6000, 413)] {
                #expect(try await server.send(batch(count), token).status == status)
            }
            let counted = try await server.send("GET /v1/ingest").body
            #expect(counted.contains(#""overland":{"requests":1,"skipped":0,"unreadable":0,"#), "\(counted)")
        }
    }
}

extension PhoneSend {
    /// A request of Overland.
    fileprivate static func overland(_ body: String) -> PhoneSend {
        PhoneSend(
            "POST /ingest/overland", ["authorization": "Bearer {token}"], body, reply: #"200 {"result":"ok"}"#)
    }

    /// The request with maximum compression.
    fileprivate func compressed() throws -> PhoneSend {
        let file = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
        try Data(body).write(to: file)
        let packed = file.appendingPathExtension("gz")
        defer { try? FileManager.default.removeItem(at: packed) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "gzip -n9 \(file.path)"]
        try process.run()
        process.waitUntilExit()
        var send = self
        send.body = Array(try Data(contentsOf: packed))
        send.headers.append(("content-encoding", "gzip"))
        return send
    }
}

extension TestServer {
    /// Makes a person with a phone.
    ///
    /// - Returns: the phone's token.
    func phone(of id: String, named name: String, token proof: String? = nil) async throws -> String {
        let headers = proof.map { ["authorization": "Bearer \($0)"] } ?? [:]
        let document = #"{"name":"\#(name)","sharing":{"precision":"exact"}}"#
        try await send("PUT /v1/people/\(id)", document, headers: headers)
        let reply = try await send("POST /v1/people/\(id)/devices", #"{"id":"phone"}"#, headers: headers)
        return String(try #require(reply.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
    }

    /// Sends what a phone sends.
    func send(_ send: PhoneSend, _ token: String) async throws -> Reply {
        let connection = try Wire(self)
        defer { connection.close() }
        try connection.send(send.bytes(token))
        return try await connection.answer()
    }

    /// The rows of a person's history as CSV.
    func stored(of id: String) async throws -> [String] {
        let columns = "t,lat,lon,device,accuracy_m,altitude_m,speed_mps,heading,battery,seen_until"
        let reply = try await send("GET /v1/people/\(id)/history?fields=\(columns)", headers: ["accept": "text/csv"])
        return reply.body.split(separator: "\n").dropFirst().map(String.init)
    }
}
