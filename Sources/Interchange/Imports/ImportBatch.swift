internal import Discovery
internal import Model

struct ImportBatch: Sendable {
    var pings: [(row: Int, report: PingReport)] = []
    var writes: [(row: Int, action: Import)] = []
    /// Errors of the rows that could not be read.
    var faults: [(row: Int, errors: [FieldError])] = []

    struct Outcome: Sendable {
        fileprivate var verdicts: [Verdict] = []
        fileprivate var results: [Result<Written, Refusal>] = []
        fileprivate let rows: ImportBatch
    }

    /// Writes the rows.
    ///
    /// - Parameters:
    ///   - engine: the service to write to; nil to write nothing.
    ///   - now: the clock.
    /// - Returns: the result for each row.
    /// - Throws: an error of the storage.
    func perform(on engine: Engine?, at now: @Sendable () -> Timestamp) async throws -> Outcome {
        var outcome = Outcome(rows: self)
        guard let engine else { return outcome }
        if !pings.isEmpty {
            outcome.verdicts = try await engine.perform(Record(pings.map(\.report)), by: .service, at: now()).verdicts
        }
        if !writes.isEmpty {
            outcome.results = try await engine.perform(Batch(writes.map(\.action)), by: .service, at: now())
        }
        return outcome
    }
}

extension ImportBatch.Outcome {
    /// Counts the rows in a report and records refused rows in order.
    func count(in report: inout ImportReport) {
        var refused = rows.faults
        report.count(rows: rows.faults.count + rows.pings.count + rows.writes.count)
        for (ping, verdict) in zip(rows.pings, verdicts) {
            report.count(verdict: verdict.word)
            guard verdict == .unknownPerson else { continue }
            let fault = FieldError(pointer: "/person", code: .unknownReference, detail: "is not a known person")
            refused.append((ping.row, [fault]))
        }
        for (write, result) in zip(rows.writes, results) {
            switch result {
            case .success(let written): report.count(isNew: written.isNew)
            case .failure(let refusal): refused.append((write.row, [FieldError(refusal)]))
            }
        }
        for (row, errors) in refused.sorted(by: { $0.row < $1.row }) { report.refuse(row: row, errors) }
    }
}

extension FieldError {
    /// The error of a row that was refused.
    fileprivate init(_ refusal: Refusal) {
        switch refusal {
        case .unknown(let kind, let id):
            self.init(pointer: "", code: .unknownReference, detail: "there is no \(kind.rawValue) '\(id)'")
        case .oneself: self.init(pointer: "", code: .refused, detail: "the two must be different people")
        case .separated: self.init(pointer: "", code: .refused, detail: "one of the two has blocked the other")
        case .notAllowed, .makerNotOwner, .kindNotAllowed, .throttleTooLow, .tokensStayEnded, .beingDeleted,
            .conditionFailed, .noPosition, .noPositionThen, .deviceExists, .tooManyDevices, .groupExists, .notOwner,
            .tooManyMembers, .tooManyGroups, .tooManyWebhooks, .tooMany, .notAdult:
            self.init(pointer: "", code: .refused, detail: "\(refusal)")
        }
    }
}
