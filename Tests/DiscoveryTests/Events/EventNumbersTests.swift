import Discovery
import Laws
import Model
import TestSupport
import Testing

/// Event numbers as people see them.
@Suite struct EventNumbersTests {
    @Test("A person's event numbers are unique, in no visible order, and differ from other people's")
    func people() async throws {
        try await withEngine { engine in
            let ana = engine.engine.eventNumbers(for: .person(id("ana")))
            let eva = engine.engine.eventNumbers(for: .person(id("eva")))
            var generator = SeededGenerator(seed: 1)
            let random = (0..<1000).map { _ in Int64(generator.integer(0...1 << 52 - 1)) }
            let numbers = Array(0...1000 as ClosedRange<Int64>) + random
            for number in numbers {
                let reported = ana.shown(number)
                #expect(ana.number(reported) == number && (0..<1 << 52).contains(reported), "\(number)")
                #expect(number == 0 ? reported == 0 : reported != 0)
            }
            let reported = (1...1000).map { ana.shown($0) }
            #expect(Set(reported).count == 1000)
            let growing = zip(reported, reported.dropFirst()).count { $0 < $1 }
            #expect((400...600).contains(growing), "\(growing) of 999")
            #expect((1...1000).allSatisfy { ana.shown($0) != eva.shown($0) })
        }
    }

    @Test("Services see the numbers of the log, and numbers of no event stay unchanged") func services() async throws {
        try await withEngine { engine in
            let service = engine.engine.eventNumbers(for: .service)
            #expect(service.shown(7) == 7 && service.number(7) == 7)
            let ana = engine.engine.eventNumbers(for: .person(id("ana")))
            for number in [1 << 52, Int64.max] {
                #expect(ana.number(number) == number && ana.shown(number) == number)
            }
        }
    }
}
