internal import API
internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Interchange
internal import NIOCore
internal import NIOHTTP1

/// Exports from a running service.
struct HTTPExport {
    private static let patience = TimeAmount.hours(24)
    private static let longestProblem = 1 << 20

    private let base: String
    private let path: String

    /// Of what stands at a path after `/v1/exports/`.
    init(url: String, path: String) throws {
        base = try ServiceAddress(url).base
        self.path = path
    }

    func write(_ format: ExportFormat) async throws {
        var request = HTTPClientRequest(url: "\(base)/v1/exports/\(path)")
        request.headers.add(name: "accept", value: format.mediaType)
        if let token = BearerToken.own { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        do {
            try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                let response = try await client.execute(request, timeout: Self.patience)
                guard response.status == .ok else {
                    let body = String(buffer: try await response.body.collect(upTo: Self.longestProblem))
                    throw Exit.failing("\(base) answered \(response.status.code): \(body)", Exit.data)
                }
                for try await piece in response.body { try StandardOutput.write(piece.readableBytesView) }
            }
        } catch let code as ExitCode { throw code } catch {
            throw Exit.failing("\(base): \(error); what was written is not all", Exit.unavailable)
        }
    }
}

/// Where a running service is.
struct ServiceAddress {
    /// The address, without a slash at its end.
    let base: String

    init(_ url: String) throws {
        guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme), parsed.host != nil else {
            throw Exit.failing("'\(url)' is no address such as http://127.0.0.1:8080", Exit.usage)
        }
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}
