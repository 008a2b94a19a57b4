internal import HTTPTypes

/// What `WWW-Authenticate` tells a caller (RFC 6750, section 3).
enum Challenge {
    private static let realm = "Bearer realm=\"cerca\""

    /// There is no token.
    static let missing = realm

    /// There is one that is not good; the reason has neither quotes nor line breaks.
    static func invalid(_ reason: String) -> String {
        "\(realm), error=\"invalid_token\", error_description=\"\(reason)\""
    }

    /// It is good, but not for this.
    static func insufficientScope(_ scope: Scope?) -> String {
        "\(realm), error=\"insufficient_scope\"" + (scope.map { ", scope=\"\($0.rawValue)\"" } ?? "")
    }
}
