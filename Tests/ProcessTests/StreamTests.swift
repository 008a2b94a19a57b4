import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// A long history, read slowly while others write.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    private static let points = 200_000
    private static let interval = 120
    /// How many bytes are read from one write of the others to the next.
    private static let pause = 48 << 10

    @Test func whoReadsSlowlyCostsNoMoreThanAFewPages() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(
                data: data, environment: ["CERCA_LIMITS_STREAMS": "1", "MALLOC_ARENA_MAX": "1"])
            try await service.send("PUT /v1/people/walker", "{}")
            for start in stride(from: 0, to: Self.points, by: 10_000) {
                try await walk(service, start..<start + 10_000)
            }
            let load = try await Load(service)
            // What the load itself takes, and the database's cache, is taken before.
            for _ in 0..<250 { try await load.write() }
            var writes = 0
            let before = try service.memory
            var text = ""
            var (memory, log, refused) = (0, 0, false)
            let body = try await stream(service)
            for try await piece in body {
                text += String(buffer: piece)
                if text.utf8.count > writes * Self.pause {
                    writes += 1
                    try await load.write()
                }
                memory = max(memory, try service.memory - before)
                log = max(log, Self.size(of: data.appending(path: "cerca.sqlite-wal")))
                if !refused { refused = try await ask(service).status == .serviceUnavailable }
            }
            let seconds = text.matches(of: /<time>([^<]+)<\/time>/).map { String($0.1) }
            #expect(seconds == (0..<Self.points).map(Self.time), "each once and in order")
            #expect(text.hasSuffix("</gpx>\n"))
            #expect(refused, "a second stream while one is read")
            let written = await load.written
            #expect(written > 80_000, "others wrote all the while: \(written)")
            #expect(log < 16 << 20, "bytes of the write-ahead log: \(log)")
            #expect(memory < 32 << 20, "bytes of memory more than before: \(memory)")
            #expect(service.stop().code == 0)
        }
    }

    /// Other people, whose pings come while somebody reads.
    private actor Load {
        private let service: Service
        private(set) var written = 0

        init(_ service: Service) async throws {
            self.service = service
            let people = (0..<200).map { "{\"id\":\"p\($0)\"}" }.joined(separator: "\n")
            _ = try await service.send("POST /v1/imports/people", people, type: "application/x-ndjson")
        }

        /// A ping of each.
        func write() async throws {
            let step = written / 200
            let pings = (0..<200).map {
                "{\"person\":\"p\($0)\",\"t\":\(1_500_000_000 + step * 130),\"lat\":\(Double($0) * 0.1),\"lon\":\(1 + Double(step) * 0.01)}"
            }
            let reply = try await service.send("POST /v1/pings", "[\(pings.joined(separator: ","))]")
            #expect(reply.body.hasPrefix("{\"stored\":200,"), "\(reply.body.prefix(200))")
            written += 200
        }
    }

    private static func time(_ index: Int) -> String {
        Date(timeIntervalSince1970: TimeInterval(1_500_000_000 + index * interval)).formatted(.iso8601)
    }

    private func walk(_ service: Service, _ range: Range<Int>) async throws {
        let pings = range.map { index in
            "{\"person\":\"walker\",\"t\":\(1_500_000_000 + index * Self.interval),\"lat\":\(Double((index % 20_000 - 10_000).magnitude) * 0.006),\"lon\":1}"
        }
        let reply = try await service.send("POST /v1/pings", "[\(pings.joined(separator: ","))]")
        #expect(reply.body.hasPrefix("{\"stored\":\(range.count),"), "\(reply.body.prefix(200))")
    }

    private func ask(_ service: Service) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: service.base + "/v1/people/walker/history")
        request.headers.add(name: "accept", value: "application/gpx+xml")
        request.headers.add(name: "accept-encoding", value: "identity")
        return try await HTTPClient.shared.execute(request, timeout: .seconds(120))
    }

    private func stream(_ service: Service) async throws -> HTTPClientResponse.Body {
        let response = try await ask(service)
        #expect(response.status == .ok)
        return response.body
    }

    private static func size(of file: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return attributes?[.size] as? Int ?? 0
    }
}

extension Service {
    /// Bytes of memory that are not pages of files.
    var memory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
        }
    }
}
