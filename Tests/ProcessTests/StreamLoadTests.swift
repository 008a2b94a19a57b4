import AsyncHTTPClient
import Foundation
import Laws
import NIOCore
import NIOHTTP1
import Testing

/// A long history that is read slowly while others write.
@Suite(.timeLimit(.minutes(60))) struct StreamLoadTests {
    private static let points = RandomCases.count(30_000, all: 50_000)
    private static let interval = 120
    /// Short in the file and long in GPX, so that buffered text would be large and the cache of the file is not.
    private static let device = String(repeating: "&", count: 200)
    /// Number of bytes that are read between two writes of the others.
    private static let pause = 256 << 10
    private static let environment = ["CERCA_LIMITS_STREAMS": "1", "MALLOC_ARENA_MAX": "1"]

    /// Caches grow with writes, and the number of pings in the log depends on the machine.
    ///
    /// So equal writes are repeated without a reader, in a new process. Both begin with a compacted log.
    @Test("A slow reader takes no more memory than a few pages") func slowReader() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await fill(data)
            var text = ""
            var (writes, walLog, refused) = (0, 0, false)
            let reading = try await peak(data) { service, look in
                for try await piece in try await stream(service) {
                    text += String(buffer: piece)
                    if text.utf8.count > writes * Self.pause {
                        try await write(service, writes)
                        writes += 1
                    }
                    try look()
                    walLog = max(walLog, Self.size(of: data.appending(path: "cerca.sqlite-wal")))
                    if !refused { refused = try await ask(service).status == .serviceUnavailable }
                }
            }
            let alone = try await peak(data) { service, look in
                for step in writes..<2 * writes {
                    try await write(service, step)
                    try look()
                }
            }
            let seconds = text.split(separator: "\n").compactMap { $0.firstMatch(of: /<time>([^<]+)<\/time>/)?.1 }
            #expect(seconds.map(String.init) == (0..<Self.points).map(Self.time), "each once and in order")
            #expect(text.hasSuffix("</gpx>\n"))
            #expect(refused, "a second stream while one is read")
            #expect(writes > Self.points / 250, "others wrote all the while: \(writes)")
            #expect(walLog < 16 << 20, "bytes of the write-ahead log: \(walLog)")
            let length = text.utf8.count
            print("\(reading) bytes of memory at most, \(alone) while nobody read, for \(length) bytes of text")
            #expect(length > Self.points * 1050, "bytes of text: \(length)")
            #expect(reading < alone + length / 2, "bytes of memory, of \(length) of text; without reading \(alone)")
        }
    }

    /// Makes the walker and the people who write in the meantime, and leaves a file whose log is compacted.
    private func fill(_ data: URL) async throws {
        let service = try await Service(data: data, environment: Self.environment)
        try await service.send("PUT /v1/people/walker", "{}")
        for start in stride(from: 0, to: Self.points, by: 10_000) {
            try await walk(service, start..<start + 10_000)
        }
        let people = (0..<200).map { "{\"id\":\"p\($0)\"}" }.joined(separator: "\n")
        try await service.send("POST /v1/imports/people", people, type: "application/x-ndjson")
        #expect(service.stop() == 0)
    }

    /// Returns the peak memory of a new process in bytes, sampled when `body` calls `look`.
    private func peak(
        _ data: URL, _ body: (_ service: Service, _ look: () throws -> Void) async throws -> Void
    ) async throws -> Int {
        #expect(try Program.run("checkpoint", "--data", data.path).code == 0)
        let service = try await Service(data: data, environment: Self.environment)
        var most = 0
        try await body(service) { most = max(most, try service.memory) }
        #expect(service.stop() == 0)
        return most
    }

    /// Sends a ping of each of the others.
    private func write(_ service: Service, _ step: Int) async throws {
        let pings = (0..<200).map {
            "{\"person\":\"p\($0)\",\"t\":\(1_500_000_000 + step * 130),\"lat\":\(Double($0) * 0.1),\"lon\":\(1 + Double(step) * 0.01)}"
        }
        let reply = try await service.send("POST /v1/pings", "[\(pings.joined(separator: ","))]")
        #expect(reply.body.hasPrefix("{\"stored\":200,"), "\(reply.body.prefix(200))")
    }

    private static func time(_ index: Int) -> String {
        Date(timeIntervalSince1970: TimeInterval(1_500_000_000 + index * interval)).formatted(.iso8601)
    }

    private func walk(_ service: Service, _ range: Range<Int>) async throws {
        let pings = range.map { index in
            "{\"person\":\"walker\",\"device\":\"\(Self.device)\",\"t\":\(1_500_000_000 + index * Self.interval),\"lat\":\(Double((index % 20_000 - 10_000).magnitude) * 0.006),\"lon\":1}"
        }
        let reply = try await service.send("POST /v1/pings", "[\(pings.joined(separator: ","))]")
        #expect(reply.body.hasPrefix("{\"stored\":\(range.count),"), "\(reply.body.prefix(200))")
    }

    private func ask(_ service: Service) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: service.base + "/v1/people/walker/history")
        request.headers.add(name: "accept", value: "application/gpx+xml")
        request.headers.add(name: "accept-encoding", value: "identity")
        return try await testClient.execute(request, timeout: TimeAmount(hangLimit))
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
    /// The process's memory in bytes, without pages of files.
    var memory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
        }
    }
}
