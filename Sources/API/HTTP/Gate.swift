internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Keeps web pages from driving a server on the same machine: the `Host` must be one of ours, so that a name that was
/// rebound to this address gets nowhere, and an `Origin`, which browsers send with every cross-site write, must be too.
struct Gate: RouterMiddleware {
    typealias Context = CercaContext

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

    private let hosts: Set<String>

    /// - Parameter hosts: names, beside the loopback's, by which the server is reached.
    init(hosts: Set<String>) { self.hosts = Self.loopback.union(hosts.map { $0.lowercased() }) }

    func handle(
        _ request: Request, context: CercaContext, next: (Request, CercaContext) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority, let host = Self.host(of: authority), hosts.contains(host) else {
            throw Problem(
                .misdirectedRequest, .misdirected,
                detail: "This server is not reached by the name '\(request.head.authority ?? "")'.")
        }
        if let origin = request.headers[.origin] {
            guard let url = URL(string: origin), let name = url.host(percentEncoded: false),
                hosts.contains(Self.bare(name))
            else {
                throw Problem(.forbidden, .foreignOrigin, detail: "Pages of '\(origin)' may not call this server.")
            }
        }
        // What Hummingbird would answer by itself, such as a path it does not know, is answered as a problem like all else.
        do { return try await next(request, context) } catch let error as any HTTPResponseError { throw Problem(error) }
    }

    /// The host of `host:port` or `[address]:port`.
    private static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            return authority.firstIndex(of: "]").map { bare(String(authority[..<$0].dropFirst())) }
        }
        return authority.split(separator: ":", omittingEmptySubsequences: false).first.map { bare(String($0)) }
    }

    private static func bare(_ host: String) -> String {
        host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
    }
}
