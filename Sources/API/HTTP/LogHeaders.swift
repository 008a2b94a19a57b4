internal import Discovery
internal import HTTPTypes
internal import Model

/// What is said of a log that several machines follow, so that what was written to one is read from another.
enum LogHeaders {
    private static let position = HTTPField.Name("Cerca-Position")
    private static let after = HTTPField.Name("Cerca-After")

    /// How far the log is to be followed before the request is answered; nil for no matter.
    static func after(_ headers: HTTPFields) -> String? { after.flatMap { headers[$0] } }

    /// Says how far the machine had followed its log when it answered.
    static func tell(_ progress: LogProgress, in headers: inout HTTPFields) {
        if let position { headers[position] = "\(progress.number)" }
    }
}

extension Live {
    /// How long a request waits for what it is to come after.
    private static let patience = Duration.milliseconds(250)

    /// Waits until the log was followed so far; not for nil.
    ///
    /// - Throws: ``Problem`` if that takes too long, or for what is no position.
    func reach(_ position: String?) async throws {
        guard let position else { return }
        guard let number = UInt64(position) else {
            throw Problem(.invalidParameter, detail: "'Cerca-After' is a number that 'Cerca-Position' said.")
        }
        guard await reach(number, within: Self.patience) else {
            throw Problem(
                .storageUnavailable, detail: "This machine has not followed the log so far yet.",
                headers: [.retryAfter: "1"])
        }
    }

    /// Refuses to be asked by whoever distributes requests as long as what is known here may be old.
    ///
    /// - Throws: ``Problem``.
    func refuseLagging(behind longest: Duration) throws(Problem) {
        guard let progress = logProgress else { return }
        if let fault = progress.fault {
            throw Problem(.storageUnavailable, detail: "The log is not followed any further: \(fault).")
        }
        guard let lag = progress.lag, lag <= longest else {
            let behind = progress.lag.map { " for \(Int($0.seconds)) s" } ?? " yet"
            throw Problem(
                .storageUnavailable, detail: "The end of the log was not reached\(behind).", headers: [.retryAfter: "1"]
            )
        }
    }
}
