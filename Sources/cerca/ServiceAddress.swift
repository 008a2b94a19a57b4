internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Interchange
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Where a running service is.
struct ServiceAddress {
    /// The variable of the token that is shown: not an argument, for a command line can be read by others.
    static let tokenVariable = "CERCA_TOKEN"

    /// The address, without a slash at its end.
    let base: String

    init(_ url: String) throws {
        guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme), parsed.host != nil else {
            throw Exit.failing("'\(url)' is not an address such as http://127.0.0.1:8080", Exit.usage)
        }
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    /// A request to what stands after `/v1/`, with a token if the environment has one.
    func request(_ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(base)/v1/\(path)")
        if let token = ProcessInfo.processInfo.environment[Self.tokenVariable], !token.isEmpty {
            request.headers.add(name: "authorization", value: "Bearer \(token)")
        }
        return request
    }

    /// Gives `body` a client; ends the command when an answer breaks off.
    func withClient<Result>(_ body: (HTTPClient) async throws -> Result) async throws -> Result {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        do {
            return try await HTTPClient.withHTTPClient(configuration: configuration, body)
        } catch let code as ExitCode { throw code } catch {
            throw Exit.failing("\(base): \(error); the answer is not whole", Exit.unavailable)
        }
    }

    /// The beginning of the answer to a request; ends the command when none comes.
    func answer(to request: HTTPClientRequest, _ client: HTTPClient) async throws -> HTTPClientResponse {
        do { return try await client.execute(request, timeout: .hours(24)) } catch {
            let connection = (error as? NIOConnectionError)?.connectionErrors.last?.error ?? error
            let reason = (connection as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(connection)"
            throw Exit.failing(
                "\(base) does not answer (\(reason)): is the service running, and is this its address?",
                Exit.unavailable)
        }
    }

    /// Writes an export to the standard output.
    func export(_ path: String, _ format: ExportFormat) async throws {
        var request = request("exports/\(path)")
        request.headers.add(name: "accept", value: format.mediaType)
        try await withClient { client in
            let response = try await answer(to: request, client)
            guard response.status == .ok else {
                let body = String(buffer: try await response.body.collect(upTo: 1 << 20))
                throw Exit.failing("\(base) answered \(response.status.code): \(body)", Exit.data)
            }
            for try await piece in response.body { try StandardOutput.write(piece.readableBytesView) }
        }
    }
}
