import Geo
import Laws
import Testing

/// Arrays in pages.
@Suite struct PagesTests {
    @Test("Elements and copies are as in an array, whatever is cleared") func law() {
        for seed in 0..<50 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var (pages, model): (Pages<Int?>, [Int?]) = (Pages(), [])
            var copies: [(Pages<Int?>, [Int?])] = []
            for value in 0..<1_000 {
                switch generator.integer(0...9) {
                case 0...3 where !model.isEmpty:
                    let position = generator.integer(0...(model.count - 1))
                    for position in position..<min(model.count, position + 100) {
                        pages.clear(position)
                        model[position] = nil
                    }
                case 4 where !model.isEmpty:
                    let position = generator.integer(0...(model.count - 1))
                    (pages[position], model[position]) = (value, value)
                case 5 where copies.count < 3: copies.append((pages, model))
                default:
                    pages.append(value)
                    model.append(value)
                }
            }
            for (pages, model) in copies + [(pages, model)] {
                #expect((0..<pages.count).map { pages[$0] } == model, "seed \(seed)")
            }
        }
    }

    @Test("Cleared elements take little memory") func memory() {
        var pages = Pages<Int?>()
        for value in 0..<100_000 {
            pages.append(value)
            pages.clear(value)
        }
        #expect(pages.bytes < 20_000)
    }
}
