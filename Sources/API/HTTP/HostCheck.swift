internal import HTTPTypes
internal import Hummingbird

/// Keeps web pages from driving a server on the same machine.
///
/// The `Host` must be a name of the server, which defeats DNS rebinding (except for `probes`). An `Origin`, which
/// browsers send with every write, must match the server by scheme, name and port, because another port of the machine
/// may belong to someone else; or it is an allowed origin.
struct HostCheck: RouterMiddleware {
    typealias Context = CercaContext

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]
    /// The paths that supervisors request by address; their answers reveal no stored data.
    private static let probes: Set<String> = ["/livez", "/readyz"]
    private static let host = HTTPField.Name("Host")
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")
    private static let fetchMode = HTTPField.Name("Sec-Fetch-Mode")
    /// The map images, which pages of other sites may show.
    private static let images = "/tiles/base/"

    /// The names by which the server is reached, perhaps through a TLS proxy.
    private let names: Set<String>
    /// The names by which only the server itself is reached.
    private let own: Set<String>
    private let scheme: String
    /// The origins of other pages that may call.
    let others: AllowedOrigins

    /// - Parameters:
    ///   - names: The names by which the server is reached, besides loopback.
    ///   - others: The origins of other pages that may call.
    ///   - address: The address that the server listens on.
    ///   - isSecure: Whether the server speaks TLS itself.
    init(names: Set<String>, others: AllowedOrigins, address: String, isSecure: Bool) {
        self.names = Set(names.map { $0.lowercased() })
        self.others = others
        own = Self.loopback.union([address.lowercased()])
        scheme = isSecure ? "https" : "http"
    }

    func handle(
        _ request: Request, context: CercaContext, next: (Request, CercaContext) async throws -> Response
    ) async throws -> Response {
        // The first `Host` has been moved out of the fields.
        guard Self.host.map({ !request.headers.contains($0) }) ?? true else {
            throw Problem(.malformedRequest, detail: "A request must have one 'Host'.")
        }
        let authority = request.head.authority.flatMap { Authority($0) }
        guard authority.map({ isOurs($0.name) }) ?? false || Self.probes.contains(request.uri.path) else {
            throw Problem(
                .misdirected,
                detail: "This server does not have the name '\(request.head.authority ?? "")', "
                    + "which is not in the setting 'hosts'.")
        }
        let origin = request.headers[.origin]
        let isAllowed = origin.map(others.contains) ?? false
        if let origin, !isAllowed, !(authority.map { isOurs(origin, asking: $0) } ?? false) {
            throw Problem(
                .foreignOrigin,
                detail:
                    "Pages of '\(origin)' may not call this server: the origin is not in the setting 'cors.origins'.")
        }
        if !isAllowed, isForeign(request) {
            throw Problem(.foreignOrigin, detail: "Pages of other sites may not call this server.")
        }
        guard isRead(request) || !Self.hasEmptySegment(request.head.path ?? "/") else { throw Problem(.notFound) }
        // Errors that Hummingbird would answer itself, such as an unknown path, become problems like all others.
        do { return try await next(request, context) } catch let error as any HTTPResponseError { throw Problem(error) }
    }

    private func isRead(_ request: Request) -> Bool { [.get, .head].contains(request.method) }

    /// Whether a page of another site sends a request that is not a followed link.
    ///
    /// Browsers may add a password to such requests, and send the header without an `Origin`, too.
    private func isForeign(_ request: Request) -> Bool {
        guard let site = Self.fetchSite.flatMap({ request.headers[$0] }), !["same-origin", "none"].contains(site)
        else { return false }
        let isLink = Self.fetchMode.flatMap { request.headers[$0] } == "navigate"
        let path = request.uri.path
        return !(isRead(request) && (isLink || path.hasPrefix(Self.images) || Self.probes.contains(path)))
    }

    /// Whether a path has an empty segment, which routing would ignore.
    ///
    /// A client that removes `..` from `/v1/people/ana/devices/..` sends `/v1/people/ana/`. Phone apps add a slash to the
    /// address that they are given.
    private static func hasEmptySegment(_ path: String) -> Bool {
        let path = path.prefix { $0 != "?" }
        guard !path.hasPrefix("/ingest/") else { return false }
        return path.contains("//") || path.count > 1 && path.hasSuffix("/")
    }

    private func isOurs(_ name: String) -> Bool { names.contains(name) || own.contains(name) }

    /// Whether an origin (RFC 6454) is the one that was requested, or one of the server's names at the default port.
    private func isOurs(_ origin: String, asking asked: Authority) -> Bool {
        guard let mark = origin.firstRange(of: "://"), let page = Authority(origin[mark.upperBound...]),
            isOurs(page.name), let standard = ["http": 80, "https": 443][origin[..<mark.lowerBound]]
        else { return false }
        let isNamed = names.contains(page.name)
        guard origin.hasPrefix("\(scheme):") || isNamed && origin.hasPrefix("https:") else { return false }
        let port = page.port ?? standard
        return port == asked.port ?? standard || isNamed && port == standard
    }
}

/// A name and a port, as in `Host` and `Origin`.
struct Authority {
    /// In lowercase; an IPv6 address without its brackets.
    let name: String
    /// nil if none is given.
    let port: Int?

    /// The host as a URL writes it; nil if the name cannot be a host name or an address.
    var host: String? {
        guard name.wholeMatch(of: #/[a-z0-9._:-]+/#) != nil else { return nil }
        return name.contains(":") ? "[\(name)]" : name
    }

    /// The name and port as a URL writes them; nil if the name cannot be a host name or an address.
    var written: String? { host.map { host in port.map { "\(host):\($0)" } ?? host } }

    /// Returns nil for anything but `name`, `name:port`, `[address]` and `[address]:port`.
    init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        let isBracketed = text.utf8.first == UInt8(ascii: "[")
        let end = text.utf8.firstIndex(of: UInt8(ascii: isBracketed ? "]" : ":"))
        guard !isBracketed || end != nil else { return nil }
        name = String(isBracketed ? text[..<(end ?? text.endIndex)].dropFirst() : text[..<(end ?? text.endIndex)])
        let rest = text.utf8[(end ?? text.endIndex)...].drop { isBracketed && $0 == UInt8(ascii: "]") }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        guard rest.first == UInt8(ascii: ":"), rest.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(Substring(rest.dropFirst()))
        else { return nil }
        port = Int(number)
    }
}
