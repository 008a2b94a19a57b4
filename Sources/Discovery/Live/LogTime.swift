internal import Model

/// The clock on which all who follow a log agree: each message has the time at which the log took it.
enum LogTime {
    /// How long before its message an action is received by a clock that is right, at most.
    ///
    /// What waits for longer, because the log does not answer, is done at the time of its message, too.
    static let bound = Duration.seconds(2)

    /// By how much a clock is ahead of the log's, negative if it is behind; nil if nothing says that it is by more than the bound.
    ///
    /// What was received here was received before the log took it, and the log took it before now.
    static func lead(received: Timestamp?, taken: Timestamp, now: Timestamp) -> Duration? {
        let after = received.map { $0 - taken } ?? .zero
        if after > bound { return after }
        return now - taken < .zero - bound ? now - taken : nil
    }
}

extension Turn {
    /// The same, done at the time of its message if it was received after that, or by more than a bound before it.
    ///
    /// As the times of messages never go back, times of receipt never do by more than the bound. The instants between which it was
    /// received are then all from one clock to the other, so that neither makes anything too old or too new by itself.
    func agreeing(with time: Timestamp) -> Turn {
        guard received > time || time - received > LogTime.bound else { return self }
        var turn = self
        turn.moment = min(moment.lowerBound, time)...max(moment.upperBound, time)
        (turn.received, turn.told) = (time, time)
        return turn
    }
}
