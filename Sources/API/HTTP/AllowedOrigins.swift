internal import Foundation
internal import HTTPTypes

/// The origins of other web pages that may call, and what tells browsers so (CORS, in the Fetch standard).
///
/// There is no `*` for all pages, and no page may send cookies or passwords that the browser keeps: Cerca has none. A page shows a
/// token by itself, in `Authorization`.
public struct AllowedOrigins: Hashable, Sendable {
    private var origins: Set<String> = []

    /// None.
    public init() {}

    /// Origins such as `https://app.example` or `http://localhost:3000`, separated by commas.
    ///
    /// - Throws: ``AllowedOriginsError`` for what is no origin.
    public init(_ text: String) throws(AllowedOriginsError) {
        for entry in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) where !entry.isEmpty {
            guard let origin = Self.written(entry) else { throw AllowedOriginsError(entry: entry) }
            origins.insert(origin)
        }
    }

    /// An origin as browsers write it: in small letters, and without the standard port of its scheme.
    private static func written(_ entry: String) -> String? {
        guard let mark = entry.firstRange(of: "://"), let page = Authority(entry[mark.upperBound...]),
            let host = page.host
        else { return nil }
        let scheme = entry[..<mark.lowerBound].lowercased()
        guard let standard = ["http": 80, "https": 443][scheme] else { return nil }
        guard let port = page.port, port != standard else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }

    /// Whether pages of an origin, as a browser writes it, may call.
    func contains(_ origin: String) -> Bool { origins.contains(origin) }

    /// Adds what lets a page that may call read an answer; to the answer to `OPTIONS`, which has `Allow`, also what it may send.
    func tell(_ headers: inout HTTPFields, answering asked: HTTPFields) {
        guard !origins.isEmpty else { return }
        headers.vary(on: "Origin")
        guard let origin = asked[.origin], contains(origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        if asked[.accessControlRequestMethod] != nil, let methods = headers[.allow] {
            headers[.accessControlAllowMethods] = methods
            headers[.accessControlAllowHeaders] = Self.sent
            headers[.accessControlMaxAge] = Self.patience
        } else {
            headers[.accessControlExposeHeaders] = Self.read
        }
    }

    /// The headers of requests that do something and that browsers ask about.
    private static let sent = """
        Authorization, Cerca-Acting-As, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, \
        Traceparent
        """
    /// The headers of answers that browsers hide unless they are named.
    private static let read = """
        Accept-Encoding, Allow, Deprecation, ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, \
        RateLimit-Reset, Retry-After, Server-Timing, Sunset, WWW-Authenticate, X-Request-Id
        """
    /// The seconds for which a browser need not ask again: the most that Chromium takes.
    private static let patience = "7200"
}

/// An entry of a list that is no origin.
public struct AllowedOriginsError: Error, Hashable {
    /// What stands there.
    public let entry: String
}
