internal import Foundation
internal import Model

enum Clock {
    /// The time since the start on the monotonic clock, including the time that the machine was suspended.
    static func elapsed() -> Duration { start.duration(to: .now) }

    private static let start = ContinuousClock.now

    /// The time of the system clock, right or wrong.
    @Sendable static func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
