internal import HTTPTypes
internal import HummingbirdCore

/// The URL at which others reach the server, without a slash at the end, for absolute links.
public struct PublicURL: Hashable, Sendable {
    let text: String

    /// Returns nil for text that is no URL such as `https://cerca.example` or `https://example.com/cerca`.
    public init?(_ text: String) {
        guard let url = text.wholeMatch(of: #/(https?:\/\/)([^\/]+)((?:\/[A-Za-z0-9._~\-]+)*)\/?/#),
            let authority = Authority(url.2)?.written
        else { return nil }
        self.text = "\(url.1)\(authority)\(url.3)"
    }
}

/// The absolute addresses of the server.
struct Addresses: Sendable {
    /// The configured URL; nil to use the name by which each request reached the server.
    let publicURL: PublicURL?
    /// Whether the server speaks TLS itself.
    let isSecure: Bool

    /// The URL of the server in answers to a request, whose `Host` was checked, without a slash at the end.
    func base(for call: Call) -> String {
        if let publicURL { return publicURL.text }
        let authority = call.request.head.authority.flatMap { Authority($0)?.written }
        return authority.map { "\(isSecure ? "https" : "http")://\($0)" } ?? ""
    }
}
