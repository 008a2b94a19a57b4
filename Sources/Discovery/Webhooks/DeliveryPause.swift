/// How long a webhook waits after a failed delivery.
enum DeliveryPause {
    /// The pauses after the first failure, the second, and so on; the last holds for all further ones.
    private static let steps: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000), .seconds(28_800),
    ]
    /// How long an event waits at most when the receiver took another.
    static let ofSuccess = Duration.seconds(300)
    /// The range of pauses that the receiver may choose.
    private static let ofReceiver = Duration.seconds(1)...Duration.seconds(28_800)
    /// The longest pause, with jitter.
    static let longest = Duration.seconds(28_800 * 1.2)

    /// The pause after a number of failures.
    ///
    /// - Parameters:
    ///   - tries: the number of failures, from 1.
    ///   - wanted: the pause that the receiver asked for; nil for none.
    ///   - jitter: a factor near 1.
    /// - Returns: the pause; what the receiver asked for is kept within limits.
    static func after(_ tries: Int, _ wanted: Duration?, _ jitter: Double) -> Duration {
        if let wanted { return min(max(wanted, ofReceiver.lowerBound), ofReceiver.upperBound) }
        return steps[min(tries, steps.count) - 1] * jitter
    }
}
