internal import HTTPTypes

/// The values of `WWW-Authenticate` (RFC 6750, section 3).
enum Challenge {
    private static let realm = "Bearer realm=\"cerca\""

    /// The request has no token.
    static let missing = realm

    /// The token is invalid; characters that the header cannot hold are removed from the reason.
    static func invalid(_ reason: String) -> String {
        let shown = reason.unicodeScalars.filter { (" "..."~").contains($0) && $0 != "\"" && $0 != "\\" }
        return "\(realm), error=\"invalid_token\", error_description=\"\(String(String.UnicodeScalarView(shown)))\""
    }

    /// The token is valid, but lacks a scope.
    static func insufficientScope(_ scope: Scope?) -> String {
        "\(realm), error=\"insufficient_scope\"" + (scope.map { ", scope=\"\($0.rawValue)\"" } ?? "")
    }
}
