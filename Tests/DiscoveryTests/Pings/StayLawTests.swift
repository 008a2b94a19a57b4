import Laws
import Model
import Testing

/// A stay against a list of what is known of every second.
@Suite struct StayLawTests {
    /// Of more gaps than are kept two become one: what is forgotten is that somebody was there, never that they may have been
    /// away.
    @Test func howeverOftenSomebodyWasAwayNoPieceGrows() {
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

    @Test func whatIsDeletedOrContradictedIsNoPieceAndPiecesAreInOrder() {
        for seed in 0..<2000 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let start = Timestamp(milliseconds: 1_000_000)
            var stay = Stay(since: start)
            var erased: Set<Int> = []
            var elsewhere: Set<Int> = []
            var now = 0
            for step in 0..<dice.integer(1...100) {
                switch dice.integer(0...9) {
                case 0:
                    let from = dice.integer(1...now + 100)
                    let to = from + dice.integer(1...2000)
                    if stay.forget(start + .seconds(from)..<start + .seconds(to)) { erased.formUnion(from..<to) }
                case 1:
                    let second = dice.integer(1...now + 10)
                    stay.contradict(at: start + .seconds(second))
                    elsewhere.insert(second)
                default:
                    now += dice.pick([10, 60, 600, 3600, 3601, 9000])
                    stay.confirm(at: start + .seconds(now))
                    erased = erased.filter { $0 < now }
                    elsewhere.remove(now)
                    #expect(stay.until == start + .seconds(now), "seed \(seed), step \(step)")
                }
                let pieces = stay.pieces
                #expect(pieces.first?.lowerBound == start && pieces.last?.upperBound == stay.until, "seed \(seed)")
                for (piece, next) in zip(pieces, pieces.dropFirst()) {
                    #expect(piece.upperBound < next.lowerBound, "seed \(seed), step \(step)")
                }
                for second in erased {
                    let time = start + .seconds(second)
                    #expect(!pieces.contains { $0.contains(time) }, "seed \(seed), step \(step): \(second) was deleted")
                }
                for second in elsewhere {
                    let time = start + .seconds(second)
                    let isInside = pieces.contains { $0.lowerBound < time && time < $0.upperBound }
                    #expect(!isInside, "seed \(seed), step \(step): at \(second) elsewhere")
                }
            }
        }
    }
}
