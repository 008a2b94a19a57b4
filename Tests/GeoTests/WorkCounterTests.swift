import Geo
import Testing

/// Counting of work, and the part of it that is charged to the caller.
@Suite struct WorkCounterTests {
    @Test("Work that depends on others is counted but not charged") func uncharged() {
        let bill = WorkCounter.charging()
        let work = WorkCounter.$current.withValue(bill) {
            WorkBudget.measure {
                WorkBudget.count(1)
                WorkBudget.uncharged {
                    WorkBudget.count(20)
                    WorkBudget.charge(4000)
                    WorkBudget.uncharged { WorkBudget.count(50_000) }
                }
            }.steps
        }
        #expect(work == 50_021, "readings and turns are measured by what was done")
        #expect(bill.total == 4001, "the caller pays for the rest, and for what was charged")
    }

    @Test("The work for bytes does not depend on how they are split into pieces", arguments: [1, 3, 10, 64])
    func pieces(size: Int) {
        let counter = WorkCounter()
        WorkCounter.$current.withValue(counter) {
            for start in stride(from: 0, to: 1000, by: size) {
                WorkBudget.count(bytes: start..<min(1000, start + size), ofStep: 7)
            }
        }
        #expect(counter.total == 1000 / 7)
    }
}
