internal import Foundation
internal import Model

/// The clocks of the machine.
enum Clock {
    /// How long the machine has been running, asleep or not, by a clock that only ever goes on.
    static func elapsed() -> Duration { start.duration(to: .now) }

    private static let start = ContinuousClock.now

    /// What the clock of the machine shows, right or wrong.
    @Sendable static func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
