internal import Foundation
internal import HTTPTypes

/// The origins of other web pages that may call, and the CORS headers for them (Fetch standard).
///
/// There is no `*` for all pages. Pages may not send the browser's cookies or passwords, because Cerca has none. A page
/// sends its token in `Authorization`.
public struct AllowedOrigins: Hashable, Sendable {
    private var origins: Set<String> = []

    /// Allows no origin.
    public init() {}

    /// Parses origins such as `https://app.example` or `http://localhost:3000`, separated by commas.
    ///
    /// - Throws: ``AllowedOriginsError`` for an entry that is not an origin.
    public init(_ text: String) throws(AllowedOriginsError) {
        for entry in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) where !entry.isEmpty {
            guard let origin = Self.written(entry) else { throw AllowedOriginsError(entry: entry) }
            origins.insert(origin)
        }
    }

    /// An origin as browsers write it: in lowercase, without the default port of its scheme.
    private static func written(_ entry: String) -> String? {
        guard let mark = entry.firstRange(of: "://"), let page = Authority(entry[mark.upperBound...]),
            let host = page.host
        else { return nil }
        let scheme = entry[..<mark.lowerBound].lowercased()
        guard let standard = ["http": 80, "https": 443][scheme] else { return nil }
        guard let port = page.port, port != standard else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }

    /// Whether pages of an origin, written as browsers do, may call.
    func contains(_ origin: String) -> Bool { origins.contains(origin) }

    /// Adds the CORS headers for an allowed page; for a preflight, which has `Allow`, also what the page may send.
    func addHeaders(_ headers: inout HTTPFields, answering asked: HTTPFields) {
        guard !origins.isEmpty else { return }
        headers.vary(on: "Origin")
        guard let origin = asked[.origin], contains(origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        if asked[.accessControlRequestMethod] != nil, let methods = headers[.allow] {
            headers[.accessControlAllowMethods] = methods
            headers[.accessControlAllowHeaders] = Self.sent
            headers[.accessControlMaxAge] = Self.maxAge
        } else {
            headers[.accessControlExposeHeaders] = Self.read
        }
    }

    /// Request headers that need a preflight: those with an effect here, and those that readers of streams send.
    private static let sent = """
        Authorization, Cache-Control, Cerca-Acting-As, Content-Encoding, Content-Type, Idempotency-Key, If-Match, \
        If-None-Match, Last-Event-ID, Traceparent, X-Requested-With
        """
    /// Response headers that browsers hide from pages unless they are exposed.
    private static let read = """
        Accept-Encoding, Allow, Deprecation, ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, \
        RateLimit-Reset, Retry-After, Server-Timing, Sunset, WWW-Authenticate, X-Request-Id
        """
    /// How long a browser may cache a preflight answer, in seconds; the maximum that Chromium accepts.
    private static let maxAge = "7200"
}

/// An entry of a list that is not an origin.
public struct AllowedOriginsError: Error, Hashable {
    /// The entry as it was written.
    public let entry: String
}
