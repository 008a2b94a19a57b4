internal import Model

/// The log's clock, on which all nodes agree: each entry has the time at which the log stored it.
enum LogClock {
    /// How long before its entry an action is received by a correct clock, at most.
    ///
    /// An action that waits longer, because the log does not answer, gets the time of its entry too.
    static let bound = Duration.seconds(2)

    /// The clock's lead over the log's, negative if it is behind; nil without proof of more than the bound.
    ///
    /// An action received here was received before the log stored it, and the log stored it before `now`.
    static func lead(received: Timestamp?, taken: Timestamp, now: Timestamp) -> Duration? {
        let after = received.map { $0 - taken } ?? .zero
        if after > bound { return after }
        return now - taken < .zero - bound ? now - taken : nil
    }
}

extension WorkItem {
    /// Returns the turn, at the time of its entry if it was received later, or more than the bound earlier.
    ///
    /// Entry times never go back, so times of receipt go back by at most the bound. The possible times of receipt then
    /// span both clocks, so that neither clock alone makes anything too old or too new.
    func agreeing(with time: Timestamp) -> WorkItem {
        guard received > time || time - received > LogClock.bound else { return self }
        var turn = self
        turn.moment = min(moment.lowerBound, time)...max(moment.upperBound, time)
        (turn.received, turn.eventTime) = (time, time)
        return turn
    }
}
