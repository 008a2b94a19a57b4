/// Retry backoff after a failed webhook delivery.
enum RetryBackoff {
    /// The pauses after the first and each further failure; the last repeats.
    private static let steps: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000), .seconds(28_800),
    ]
    /// Maximum pause of an event after the receiver accepted another one.
    static let ofSuccess = Duration.seconds(300)
    /// The range of the receiver's `Retry-After`.
    private static let ofReceiver = Duration.seconds(1)...Duration.seconds(28_800)
    /// The longest pause, with jitter.
    static let longest = Duration.seconds(28_800 * 1.2)

    /// Returns the pause after a number of failures.
    ///
    /// - Parameters:
    ///   - tries: the number of failures, from 1.
    ///   - wanted: the pause that the receiver requested; nil for none.
    ///   - jitter: a factor near 1.
    /// - Returns: the pause; the receiver's is clamped to its range.
    static func after(_ tries: Int, _ wanted: Duration?, _ jitter: Double) -> Duration {
        if let wanted { return min(max(wanted, ofReceiver.lowerBound), ofReceiver.upperBound) }
        return steps[min(tries, steps.count) - 1] * jitter
    }
}
