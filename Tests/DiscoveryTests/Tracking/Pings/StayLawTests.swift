import Laws
import Model
import Testing

/// A stay compared with the known state of every second.
@Suite struct StayLawTests {
    /// Beyond the limit two gaps are merged, which drops a time of presence, never a possible absence.
    @Test("No number of absences extends a time of presence") func manyGaps() {
        let start = Timestamp(milliseconds: 1_000_000)
        var stay = Stay(since: start)
        for absence in 1...200 {
            stay.confirm(at: start + .seconds(7200 * absence))
            let pieces = stay.pieces
            let away = (0..<absence).map { start + .seconds(7200 * $0 + 3600) }
            #expect(!away.contains { time in pieces.contains { $0.contains(time) } }, "after \(absence) absences")
            #expect(stay.gaps.count == min(absence, 64))
            #expect(pieces.first == start...start && stay.until == start + .seconds(7200 * absence))
        }
    }

    @Test("Deleted and contradicted times are in no piece, and pieces are in order") func randomStays() {
        for seed in RandomCases.seeds(0..<2000) {
            var random = SeededGenerator(seed: seed)
            let start = Timestamp(milliseconds: 1_000_000)
            var stay = Stay(since: start)
            var erased = RangeSet<Int>()
            var elsewhere: Set<Int> = []
            var now = 0
            for step in 0..<random.integer(1...100) {
                switch random.integer(0...9) {
                case 0:
                    let from = random.integer(1...now + 100)
                    let to = from + random.integer(1...2000)
                    if stay.forget(start + .seconds(from)..<start + .seconds(to)) {
                        erased.insert(contentsOf: from..<to)
                    }
                case 1:
                    let second = random.integer(1...now + 10)
                    stay.contradict(at: start + .seconds(second))
                    elsewhere.insert(second)
                default:
                    now += random.pick([10, 60, 600, 3600, 3601, 9000])
                    stay.confirm(at: start + .seconds(now))
                    erased.remove(contentsOf: now..<Int.max)
                    elsewhere.remove(now)
                    #expect(stay.until == start + .seconds(now), "seed \(seed), step \(step)")
                }
                let pieces = stay.pieces
                #expect(pieces.first?.lowerBound == start && pieces.last?.upperBound == stay.until, "seed \(seed)")
                for (piece, next) in zip(pieces, pieces.dropFirst()) {
                    #expect(piece.upperBound < next.lowerBound, "seed \(seed), step \(step)")
                }
                let kept = erased.intersection(seconds(of: pieces, since: start))
                #expect(kept.isEmpty, "seed \(seed), step \(step): \(kept) was deleted")
                let inside = elsewhere.filter { second in
                    let time = start + .seconds(second)
                    return pieces.contains { $0.lowerBound < time && time < $0.upperBound }
                }
                #expect(inside.isEmpty, "seed \(seed), step \(step): elsewhere at \(inside)")
            }
        }
    }

    /// The whole seconds within the pieces, counted from an instant.
    private func seconds(of pieces: [ClosedRange<Timestamp>], since start: Timestamp) -> RangeSet<Int> {
        RangeSet(
            pieces.compactMap { piece -> Range<Int>? in
                let first = (piece.lowerBound.milliseconds - start.milliseconds + 999) / 1000
                let last = (piece.upperBound.milliseconds - start.milliseconds) / 1000
                return first <= last ? Int(first)..<Int(last) + 1 : nil
            })
    }
}
