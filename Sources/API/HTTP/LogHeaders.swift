internal import Discovery
internal import HTTPTypes
internal import Model

/// The headers for read-your-writes across machines that follow the same log.
enum LogHeaders {
    private static let position = HTTPField.Name("Cerca-Position")
    private static let after = HTTPField.Name("Cerca-After")

    /// The log position that must be applied before the request is answered; nil if none is required.
    static func after(_ headers: HTTPFields) -> String? { after.flatMap { headers[$0] } }

    /// The required log position if this service sealed it; nil for any other text.
    static func sealedAfter(_ headers: HTTPFields, _ seal: CursorSeal) -> UInt64? {
        after(headers).flatMap { seal.position($0) }
    }

    /// Adds the machine's log position to an answer: sealed for people, because the number reveals how much all others
    /// send; omitted for a caller without a token.
    static func addHeaders(
        _ progress: LogProgress, to bearer: Principal?, _ seal: CursorSeal, in headers: inout HTTPFields
    ) {
        guard let position, let bearer else { return }
        headers[position] = bearer == .service ? "\(progress.number)" : try? seal.seal(position: progress.number)
    }
}

extension Engine {
    /// The longest wait of a request for the log position that it requires.
    private static let timeout = Duration.milliseconds(250)

    /// Waits until the log position in a header is applied; returns at once for nil, or if no log is followed.
    ///
    /// A sealed position has been waited for already.
    ///
    /// - Throws: ``Problem`` if that takes too long, or for text that is not a position. Only services may send a plain
    ///   number: others could find the end of the log by trial.
    func reach(_ text: String?, for claim: Claim?, _ seal: CursorSeal) async throws {
        guard let text, logProgress != nil, seal.position(text) == nil else { return }
        guard claim?.bearer == .service, let number = UInt64(text) else {
            throw Problem(.invalidParameter, detail: "'Cerca-After' must be the value of a 'Cerca-Position'.")
        }
        try await reach(number)
    }

    /// Waits until a log position is applied; returns at once for nil.
    ///
    /// - Throws: ``Problem`` if that takes too long.
    func reach(_ number: UInt64?) async throws {
        guard let number else { return }
        guard await reach(number, within: Self.timeout) else {
            throw Problem(
                .storageUnavailable, detail: "This node has not followed the log to that position yet.",
                headers: [.retryAfter: "1"])
        }
    }

    /// Makes the readiness probe fail while the state may be stale, so that a load balancer sends no requests.
    ///
    /// - Throws: ``Problem``.
    func refuseLagging(behind longest: Duration) throws(Problem) {
        guard let progress = logProgress else { return }
        if let fault = progress.fault {
            throw Problem(.storageUnavailable, detail: "This node has stopped following the log: \(fault).")
        }
        guard let lag = progress.lag, lag <= longest else {
            let behind = progress.lag.map { " for \(Int($0.seconds)) s" } ?? " yet"
            throw Problem(
                .storageUnavailable, detail: "This node has not caught up with the log\(behind).",
                headers: [.retryAfter: "1"]
            )
        }
    }
}
