internal import Foundation

/// The token that a command shows to a service: from the environment, for a command line can be read by others.
enum BearerToken {
    static let variable = "CERCA_TOKEN"

    /// Nil for none.
    static var own: String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}
