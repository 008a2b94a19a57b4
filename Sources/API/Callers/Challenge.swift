internal import HTTPTypes

/// The values of `WWW-Authenticate` (RFC 6750, section 3).
enum Challenge {
    private static let realm = "Bearer realm=\"cerca\""

    /// The request has no token.
    static let missing = realm

    /// The token may be sent as a password; browsers then ask for one.
    static let password = "Basic realm=\"cerca\", charset=\"UTF-8\""

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

extension Problem {
    /// The problem with a further challenge, for which browsers ask for a password.
    var offeringPassword: Problem {
        guard status == .unauthorized else { return self }
        var problem = self
        problem.headers.append(HTTPField(name: .wwwAuthenticate, value: Challenge.password))
        return problem
    }
}
