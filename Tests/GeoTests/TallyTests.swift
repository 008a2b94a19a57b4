import Geo
import Testing

/// How work is counted, and what of it is charged.
@Suite struct TallyTests {
    @Test("Work that depends on others is counted and not charged")
    func uncharged() {
        let bill = Tally.bill()
        let work = Tally.$current.withValue(bill) {
            Effort.measure {
                Effort.count(1)
                Effort.uncharged {
                    Effort.count(20)
                    Effort.countOwn(300)
                    Effort.charge(4000)
                    Effort.uncharged { Effort.count(50_000) }
                }
            }.steps
        }
        #expect(work == 50_321, "readings and turns are measured by what was done")
        #expect(bill.total == 4301, "the caller pays for what is the caller's own, and what was charged")
    }
}
