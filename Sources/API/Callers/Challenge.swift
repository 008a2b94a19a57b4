internal import HTTPTypes

/// What `WWW-Authenticate` tells a caller (RFC 6750, section 3).
enum Challenge {
    private static let realm = "Bearer realm=\"cerca\""

    /// There is no token.
    static let missing = realm

    /// There is one that is not good; of the reason is told what may stand there.
    static func invalid(_ reason: String) -> String {
        let told = reason.unicodeScalars.filter { (" "..."~").contains($0) && $0 != "\"" && $0 != "\\" }
        return "\(realm), error=\"invalid_token\", error_description=\"\(String(String.UnicodeScalarView(told)))\""
    }

    /// It is good, but not for this.
    static func insufficientScope(_ scope: Scope?) -> String {
        "\(realm), error=\"insufficient_scope\"" + (scope.map { ", scope=\"\($0.rawValue)\"" } ?? "")
    }
}
