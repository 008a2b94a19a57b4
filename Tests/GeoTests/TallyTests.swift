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
                    Effort.charge(4000)
                    Effort.uncharged { Effort.count(50_000) }
                }
            }.steps
        }
        #expect(work == 50_021, "readings and turns are measured by what was done")
        #expect(bill.total == 4001, "the caller pays for the rest, and for what was charged")
    }

    @Test("Bytes that come in pieces are as many steps however they are cut", arguments: [1, 3, 10, 64])
    func pieces(size: Int) {
        let tally = Tally()
        Tally.$current.withValue(tally) {
            for start in stride(from: 0, to: 1000, by: size) {
                Effort.count(bytes: start..<min(1000, start + size), ofStep: 7)
            }
        }
        #expect(tally.total == 1000 / 7)
    }
}
