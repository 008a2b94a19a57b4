internal import Discovery
internal import HTTPTypes
internal import Model

/// What is said of a log that several machines follow, so that what was written to one is read from another.
enum LogHeaders {
    private static let position = HTTPField.Name("Cerca-Position")
    private static let after = HTTPField.Name("Cerca-After")

    /// How far the log is to be followed before the request is answered; nil for no matter.
    static func after(_ headers: HTTPFields) -> String? { after.flatMap { headers[$0] } }

    /// The same, if it was sealed here; nil for any other text.
    static func sealedAfter(_ headers: HTTPFields, _ seal: CursorSeal) -> UInt64? {
        after(headers).flatMap { seal.position($0) }
    }

    /// Adds how far the machine had followed its log when it answered: sealed for people, as the number counts what all others
    /// send; nothing for a caller without a token.
    static func tell(
        _ progress: LogProgress, to bearer: Principal?, _ seal: CursorSeal, in headers: inout HTTPFields
    ) {
        guard let position, let bearer else { return }
        headers[position] = bearer == .service ? "\(progress.number)" : try? seal.seal(position: progress.number)
    }
}

extension Live {
    /// How long a request waits for what it is to come after.
    private static let patience = Duration.milliseconds(250)

    /// Waits until the log was followed as far as the text of a header says; not for nil, nor where no log is followed.
    ///
    /// A position that was sealed has been waited for before.
    ///
    /// - Throws: ``Problem`` if that takes too long, or for what is no position. A number is one for services only: others would
    ///   learn by trying how far the log is.
    func reach(_ text: String?, for claim: Claim?, _ seal: CursorSeal) async throws {
        guard let text, logProgress != nil, seal.position(text) == nil else { return }
        guard claim?.bearer == .service, let number = UInt64(text) else {
            throw Problem(.invalidParameter, detail: "'Cerca-After' is what a 'Cerca-Position' said.")
        }
        try await reach(number)
    }

    /// Waits until the log was followed so far; not for nil.
    ///
    /// - Throws: ``Problem`` if that takes too long.
    func reach(_ number: UInt64?) async throws {
        guard let number else { return }
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
