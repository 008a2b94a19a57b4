import API
import Foundation
import Logging
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// The last contact of a device, also by requests that cannot be read.
@Suite struct LastHeardTests {
    @Test("A person and services see a device's last contact, even if it could not be read")
    func lastHeard() async throws {
        let clock = SteppedClock()
        try await withServer(now: { clock.now }) { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            func contacts() async throws -> String? {
                let list = try await server.send("GET /v1/people/ana/devices")
                #expect(list.status == 200)
                return list.body.firstMatch(of: #/"last_heard_at":"([^"]+)"/#).map { String($0.1) }
            }
            #expect(try await contacts() == nil)
            #expect(try await server.send("POST /ingest/owntracks?token=\(token)x", "secret").status == 401)
            #expect(try await contacts() == nil, "another token")
            for (time, request) in [("10:00:05", "POST /ingest/owntracks"), ("10:00:10", "POST /ingest/overland")] {
                clock.advance(5)
                #expect(try await server.send("\(request)?token=\(token)", "secret").status == 200)
                #expect(try await contacts() == "2026-11-20T\(time)Z")
            }
        }
        try await withKeys { server, keys, _ in
            let token = try await server.phone(of: "ana", named: "Ana", token: keys.service)
            let ping = #"{"lat":39.47,"lon":-0.37}"#
            #expect(try await server.send("POST /v1/pings", ping, token: token).status == 200)
            let list = try await server.send("GET /v1/people/ana/devices", token: keys.person("ana"))
            #expect(list.body.contains(#""last_heard_at":"2026-11-20T10:00:00Z""#), "\(list.body)")
        }
    }

    @Test("A device's list counts the messages that could not be read, until it gets another token")
    func unreadMessages() async throws {
        let clock = SteppedClock()
        try await withServer(now: { clock.now }) { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            func unread() async throws -> String? {
                let list = try await server.send("GET /v1/people/ana/devices")
                return list.body.firstMatch(of: #/"unreadable":(\{[^}]+\})/#).map { String($0.1) }
            }
            #expect(try await server.send("POST /ingest/overland?token=\(token)", #"{"locations":[]}"#).status == 200)
            #expect(try await unread() == nil, "what was read is not counted")
            for _ in 0..<2 {
                clock.advance(5)
                #expect(try await server.send("POST /ingest/owntracks?token=\(token)", "secret").status == 200)
            }
            #expect(try await unread() == #"{"count":2,"protocol":"owntracks","at":"2026-11-20T10:00:10Z"}"#)
            clock.advance(5)
            #expect(try await server.send("POST /v1/people/ana/devices/phone/rotate").status == 200)
            #expect(try await unread() == nil, "another phone may have the token")
        }
    }

    @Test("A body that cannot be read is logged by size and hash, and counted") func unreadableBodies() async throws {
        let log = RecordedLines()
        try await withServer(logger: log.logger) { server in
            let token = try await server.phone(of: "ana", named: "Ana")
            for send in [
                PhoneSend("POST /ingest/owntracks?token={token}", [:], "secret", reply: "200 []"),
                OsmAndRows.all[0].sends[0], OsmAndRows.all[0].sends[0],
                PhoneSend("GET /ingest/osmand?token={token}&valid=0", [:], reply: "200 no position\n"),
            ] { #expect(try await server.send(send, token).status == 200) }
            let line = try #require(log.lines.first { $0.contains("unreadable message") })
            // printf secret | sha256sum
            for part in [
                "protocol: owntracks", "person: ana", "device: phone", "bytes: 6", "sha256: 2bb80d537b1da3e3",
                "parts: 1",
            ] { #expect(line.contains(part), "\(line)") }
            #expect(!log.lines.contains { $0.contains(token) || $0.contains("secret") })
            #expect(
                try await server.send("GET /v1/ingest").text
                    == #"200 {"owntracks":{"requests":1,"skipped":0,"unreadable":1},"osmand":{"requests":3,"skipped":1,"unreadable":0,"duplicate":1,"stored":1},"overland":{"requests":0,"skipped":0,"unreadable":0},"gpslogger":{"requests":0,"skipped":0,"unreadable":0}}"#
            )
        }
    }
}

/// The lines of a log.
private final class RecordedLines: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordedLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let own = (event.metadata ?? [:]).map { "\($0.key): \($0.value)" }
            log.all.withLock { $0.append("\(event.message) \(own.joined(separator: " "))") }
        }
    }
}
