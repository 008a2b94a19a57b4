internal import Geo
internal import Model
internal import Synchronization

/// A part of a batch of pings on its way through the writer.
///
/// The parts are stretches of the batch. When the steps of a turn end before its stretch does, the next part begins with the
/// rest, so that pings stay in the order of time; what is left after the last part is handed in again.
struct BatchPart: Sendable {
    private final class Batch: Sendable {
        let stretches: [[PingReport]]
        /// How many pings of the batch were judged by the end of each part.
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

    /// The pings that are this part's if no turn ends early.
    var stretch: [PingReport] { batch.stretches[number] }

    /// How many were judged before this part.
    private var start: Int { number == 0 ? 0 : batch.judged.withLock { $0[number - 1] } }

    /// The pings that no part before judged, up to the end of the stretch.
    var reports: [PingReport] {
        var (rest, pings) = (start, [PingReport]())
        for stretch in batch.stretches[...number] {
            if rest < stretch.count { pings += stretch[max(0, rest)...] }
            rest -= stretch.count
        }
        return pings
    }

    /// Takes note that so many of ``reports`` were judged; again when the draft is another one.
    func note(_ count: Int) {
        let start = start
        batch.judged.withLock { $0[number] = start + count }
    }
}

extension Draft {
    /// Whether a ping of a person surely fits into what is left of the turn, of which so much is owed for what was judged.
    func hasRoom(for person: PersonNumber, owing owed: Int) -> Bool {
        (Tally.current?.total ?? 0) + owed + picture.mostSteps(ofPingOf: person) <= Effort.turn
    }

    /// Whether half of the turn's steps are spent.
    var isHalfOver: Bool { 2 * (Tally.current?.total ?? 0) > Effort.turn }

    /// Does what follows when all pings of a person were judged.
    ///
    /// - Returns: the fences of others that are left for further turns.
    mutating func conclude(
        _ person: PersonNumber, from before: Coordinate?, judging pairs: FencedPairs
    ) throws -> [FencedPair] {
        try follow(picture.people.consequences(of: person, from: before, at: received))
        try judgeOwn(pairs.own)
        let rest = try judge(pairs.others)
        try hear(of: person)
        return rest
    }
}
