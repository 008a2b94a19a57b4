internal import HTTPTypes
internal import Hummingbird

/// Keeps web pages from driving a server on the same machine.
///
/// The `Host` must be one of ours, so that a name that was rebound to this address gets nowhere (but to `probes`). An
/// `Origin`, which browsers send with every write, must be ours by scheme, name and port, for another port of the same
/// machine is somebody else's; or it is one of those that are allowed.
struct HostCheck: RouterMiddleware {
    typealias Context = CercaContext

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]
    /// What programs that supervise the service ask for, by its address, and what tells nothing of what is stored.
    private static let probes: Set<String> = ["/livez", "/readyz"]
    private static let host = HTTPField.Name("Host")
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")

    /// The names by which the server is reached, perhaps through what speaks TLS in its place.
    private let names: Set<String>
    /// The names by which only the server itself is reached.
    private let own: Set<String>
    private let scheme: String
    /// The origins of other pages that may call.
    let others: AllowedOrigins

    /// - Parameters:
    ///   - names: names, beside the loopback's, by which the server is reached.
    ///   - others: the origins of other pages that may call.
    ///   - address: what the server listens on.
    ///   - isSecure: whether it speaks TLS itself.
    init(names: Set<String>, others: AllowedOrigins, address: String, isSecure: Bool) {
        self.names = Set(names.map { $0.lowercased() })
        self.others = others
        own = Self.loopback.union([address.lowercased()])
        scheme = isSecure ? "https" : "http"
    }

    func handle(
        _ request: Request, context: CercaContext, next: (Request, CercaContext) async throws -> Response
    ) async throws -> Response {
        // The first is not among the fields any more.
        guard Self.host.map({ !request.headers.contains($0) }) ?? true else {
            throw Problem(.malformedRequest, detail: "A request has one 'Host'.")
        }
        let authority = request.head.authority.flatMap { Authority($0) }
        guard authority.map({ isOurs($0.name) }) ?? false || Self.probes.contains(request.uri.path) else {
            throw Problem(
                .misdirected,
                detail: "This server is not reached by the name '\(request.head.authority ?? "")', "
                    + "which is not among the setting 'hosts'.")
        }
        let origin = request.headers[.origin]
        let isAllowed = origin.map(others.contains) ?? false
        if let origin, !isAllowed, !(authority.map { isOurs(origin, asking: $0) } ?? false) {
            throw Problem(
                .foreignOrigin,
                detail: "Pages of '\(origin)' may not call this server: they are not among the setting 'cors.origins'.")
        }
        // Browsers say so of what has no body, too.
        if !isAllowed, ![.get, .head].contains(request.method),
            let site = Self.fetchSite.flatMap({ request.headers[$0] }), !["same-origin", "none"].contains(site)
        {
            throw Problem(.foreignOrigin, detail: "Pages of other sites may not call this server.")
        }
        // What Hummingbird would answer by itself, such as a path it does not know, is answered as a problem like all else.
        do { return try await next(request, context) } catch let error as any HTTPResponseError { throw Problem(error) }
    }

    private func isOurs(_ name: String) -> Bool { names.contains(name) || own.contains(name) }

    /// Whether a page of an origin (RFC 6454) may call: one of where the request went, or of a name of ours at the standard port.
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

/// A name and a port, as `Host` and `Origin` write them.
struct Authority {
    /// In small letters, an address of IPv6 without its brackets.
    let name: String
    /// nil for none.
    let port: Int?

    /// The name as an address has it; nil for what can be no name of a host, nor an address of it.
    var host: String? {
        guard name.wholeMatch(of: #/[a-z0-9._:-]+/#) != nil else { return nil }
        return name.contains(":") ? "[\(name)]" : name
    }

    /// nil for anything but `name`, `name:port`, `[address]` and `[address]:port`.
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
