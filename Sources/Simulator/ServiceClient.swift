internal import AsyncHTTPClient
internal import Foundation
internal import Geo
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1

/// The service as a phone sees it.
struct ServiceClient: Sendable {
    let base: String

    struct Answer: Sendable {
        var verdict: String
        var hint: Walker.Hint?
    }

    /// What went wrong with a request.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Body: Decodable {
        var verdicts: [String]
        var hint: Hint?

        struct Hint: Decodable {
            var from: From
            var beyond_m: Double
            var not_before: String
        }

        struct From: Decodable {
            var lat, lon: Double
        }
    }

    /// Sends a position.
    func send(_ report: Walker.Report) async throws -> Answer {
        let reply = try await post("/v1/pings", JSONEncoder().encode([report]), "application/json")
        let body = try JSONDecoder().decode(Body.self, from: reply)
        let hint = try body.hint.map { hint in
            Walker.Hint(
                from: try Coordinate(latitude: hint.from.lat, longitude: hint.from.lon), beyond: hint.beyond_m,
                notBefore: try Self.time(hint.not_before))
        }
        return Answer(verdict: body.verdicts.first ?? "none", hint: hint)
    }

    /// Makes people known.
    func make(_ ids: [String]) async throws {
        let rows = ids.map { "{\"id\":\"\($0)\",\"name\":\"\($0)\"}" }.joined(separator: "\n")
        _ = try await post("/v1/imports/people", Data(rows.utf8), "application/x-ndjson")
    }

    private static func time(_ text: String) throws -> Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        return try style.parse(text).timeIntervalSince1970
    }

    private func post(_ path: String, _ body: Data, _ type: String) async throws -> Data {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: type)
        if let token = ProcessInfo.processInfo.environment["CERCA_TOKEN"] {
            request.headers.add(name: "authorization", value: "Bearer \(token)")
        }
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let reply = Data(buffer: try await response.body.collect(upTo: 1 << 24))
        guard response.status == .ok else {
            throw Failure(description: "\(path): \(response.status.code) \(String(decoding: reply, as: UTF8.self))")
        }
        return reply
    }
}
