import Discovery
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Trust in a wall clock, whatever it shows.
@Suite struct ClockTrustTests {
    private static let day = 86_400.0

    @Test("Ages count from the clock when the trusted time is ahead of it") func agesFromClock() {
        var trust = ClockTrust(known: KnownTime(certain: morning))
        var elapsed = 0.0
        while elapsed < 3 * Self.day {
            elapsed += 600
            trust.observe(morning + .seconds(elapsed + 2 * Self.day), elapsed: .seconds(elapsed))
        }
        #expect(trust.past == morning + .seconds(elapsed + 2 * Self.day), "it went on steadily for long enough")
        elapsed += 600
        trust.observe(morning + .seconds(elapsed), elapsed: .seconds(elapsed))
        #expect(trust.past == morning + .seconds(elapsed))
    }

    /// The clock jumps by any amount, at any time, but is ahead for less than an hour at a time.
    @Test("Ages never count from the future, and the right clock is trusted in the end") func randomJumps() {
        for seed in RandomCases.seeds(0..<1000) {
            var random = SeededGenerator(seed: seed)
            var (truth, started, ahead, aheadSince) = (0.0, 0.0, 0.0, 0.0)
            var trust = ClockTrust(known: KnownTime(certain: morning))
            for step in 0..<400 {
                truth += random.pick([2, 60, 600])
                if ahead > 0, truth - aheadSince > 2400 { ahead = 0 }
                if random.chance(0.02) {
                    if ahead <= 0 { aheadSince = truth }
                    ahead = random.pick([0, 1, -1]) * random.logNormal(median: Self.day)
                }
                if random.chance(0.02) {
                    trust = ClockTrust(known: trust.known)
                    started = truth
                }
                trust.observe(morning + .seconds(truth + ahead), elapsed: .seconds(truth - started))
                if let past = trust.past {
                    #expect(past <= morning + .seconds(truth + 60), "seed \(seed), step \(step)")
                }
            }
            for _ in 0..<1200 {
                truth += 600
                trust.observe(morning + .seconds(truth), elapsed: .seconds(truth - started))
            }
            #expect(trust.past == morning + .seconds(truth) && trust.doubt == nil, "seed \(seed)")
        }
    }

    /// The service runs any number of hours a day, and may be killed ten minutes after its last write.
    @Test("A right clock is trusted even if the service is off for most of the day") func dailyStops() {
        for (on, most) in [(1, 400), (6, 45), (10, 1), (12, 1), (23, 1)] {
            for isKilled in [false, true] {
                var (trust, truth) = (ClockTrust(known: KnownTime(certain: morning)), 0.0)
                for day in 0..<500 {
                    var known: KnownTime?
                    for minute in stride(from: 0, through: 60 * on, by: 10) {
                        trust.observe(morning + .seconds(truth + Double(minute) * 60), elapsed: .seconds(minute * 60))
                        if !isKilled || minute < 60 * on { known = trust.known }
                    }
                    let doubt = trust.doubt ?? .zero
                    #expect(
                        doubt >= .zero && doubt <= .seconds(Double(most) * Self.day),
                        "\(on) hours a day, \(isKilled), day \(day)")
                    truth += Self.day
                    trust = ClockTrust(known: known)
                }
            }
        }
    }

    @Test("A corrected clock that jumps ahead again is known to be ahead") func secondJump() throws {
        var trust = ClockTrust(known: nil)
        let ahead = Duration.seconds(Self.day)
        trust.observe(morning + ahead, elapsed: .zero)
        var elapsed = Duration.zero
        for _ in 0..<90 {
            elapsed += .seconds(60)
            for name in ["ana", "luis"] { trust.note(id(name), agrees: true) }
            trust.observe(morning + elapsed, elapsed: elapsed)
        }
        #expect(trust.doubt == nil && trust.steady(morning + elapsed) == morning + elapsed)
        elapsed += .seconds(60)
        trust.observe(morning + ahead + elapsed, elapsed: elapsed)
        #expect(trust.steady(morning + ahead + elapsed) == morning + elapsed)
    }

    @Test("A majority needs several people, however often a person sends") func majority() {
        var trust = ClockTrust(known: nil)
        for second in 0..<2000 {
            trust.observe(morning + .seconds(second), elapsed: .seconds(second))
            trust.note(id("eva"), agrees: false)
            #expect(!trust.isBehind, "alone")
        }
        trust.note(id("ana"), agrees: true)
        #expect(!trust.isBehind)
        trust.note(id("luis"), agrees: false)
        #expect(trust.isBehind, "two of three")
        trust.note(id("sara"), agrees: true)
        #expect(!trust.isBehind, "two of four")
        trust.note(id("luis"), agrees: true)
        trust.note(id("ana"), agrees: false)
        trust.note(id("sara"), agrees: false)
        #expect(trust.isBehind, "what somebody said last")
        for second in 2000..<2700 { trust.observe(morning + .seconds(second), elapsed: .seconds(second)) }
        #expect(!trust.isBehind, "forgotten after ten minutes")
    }
}
