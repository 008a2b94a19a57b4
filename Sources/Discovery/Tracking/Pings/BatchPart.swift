internal import Geo
internal import Model
internal import Synchronization

/// A part of a batch of pings on its way through the writer.
///
/// The batch is split into chunks. If a turn's work units are used up before its chunk ends, the next part begins with
/// the rest, so that pings stay in order of time. Pings left after the last part are submitted again.
struct BatchPart: Sendable {
    private final class Batch: Sendable {
        let stretches: [[PingReport]]
        /// Number of the batch's pings judged by the end of each part.
        let judged: Mutex<[Int]>

        init(_ stretches: [[PingReport]]) {
            self.stretches = stretches
            judged = Mutex(Array(repeating: 0, count: stretches.count))
        }
    }

    private let batch: Batch
    private let number: Int

    static func parts(of stretches: [[PingReport]]) -> [BatchPart] {
        let batch = Batch(stretches)
        return stretches.indices.map { BatchPart(batch: batch, number: $0) }
    }

    /// The pings of this part if no turn ends early.
    var stretch: [PingReport] { batch.stretches[number] }

    /// Number of pings judged before this part.
    private var start: Int { number == 0 ? 0 : batch.judged.withLock { $0[number - 1] } }

    /// The pings not judged by earlier parts, up to the end of the chunk.
    var reports: [PingReport] {
        var (rest, pings) = (start, [PingReport]())
        for stretch in batch.stretches[...number] {
            if rest < stretch.count { pings += stretch[max(0, rest)...] }
            rest -= stretch.count
        }
        return pings
    }

    /// Records that the first `count` of ``reports`` were judged; again on a new draft.
    func note(_ count: Int) {
        let start = start
        batch.judged.withLock { $0[number] = start + count }
    }
}

extension Draft {
    /// Whether a ping certainly fits into the rest of the turn.
    func hasRoom(for person: PersonNumber) -> Bool {
        (WorkCounter.current?.total ?? 0) + state.mostSteps(ofPingOf: person) <= WorkBudget.stepsPerTurn
    }
}
