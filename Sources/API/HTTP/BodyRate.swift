internal import NIOCore

/// How far a request body lags behind ``ConnectionTimeouts/bodyRate``; only time spent waiting for the client counts.
struct BodyRate {
    private let maxLag: TimeAmount
    private let bytesPerSecond: Int64
    /// How much longer the client may keep the service waiting.
    private var lag: TimeAmount
    private var waitStart: NIODeadline?

    /// Begins a body.
    init(_ timeouts: ConnectionTimeouts) {
        maxLag = TimeAmount(timeouts.bodyLag)
        bytesPerSecond = Int64(max(1, timeouts.bodyRate))
        lag = maxLag
    }

    /// Begins a wait for bytes; nil if one is running.
    ///
    /// - Returns: the maximum duration of the wait.
    mutating func beginWait() -> TimeAmount? {
        guard waitStart == nil else { return nil }
        waitStart = .now()
        return lag
    }

    /// Ends the wait, and credits the bytes; false if none was running.
    mutating func endWait(received count: Int) -> Bool {
        guard let start = waitStart else { return false }
        waitStart = nil
        let earned = TimeAmount.nanoseconds(Int64(count) * 1_000_000_000 / bytesPerSecond)
        lag = min(maxLag, lag - (.now() - start) + earned)
        return true
    }
}
