import Model
import Testing

/// Values that take little memory while they are the default.
@Suite struct BoxedIfNonDefaultTests {
    private struct Answer: Hashable, HasDefault {
        static let usual = Answer()
        var texts: [String] = []
        var number = 42
    }

    private struct Holder: Hashable {
        @BoxedIfNonDefault var answer: Answer
        var bytes: Int { _answer.bytes }
    }

    @Test("A default value takes eight bytes") func defaultSize() {
        var holder = Holder()
        #expect(MemoryLayout<Holder>.size == 8 && holder.bytes == 0)
        holder.answer.number = 42
        #expect(holder.bytes == 0, "the same again")
        holder.answer.number = 43
        #expect(holder.bytes > 8)
        holder.answer.number = 42
        #expect(holder.bytes == 0 && holder == Holder())
    }

    @Test("A change of a copy does not affect the original") func copies() {
        var first = Holder()
        first.answer.texts = ["one"]
        var second = first
        second.answer.texts.append("two")
        #expect(first.answer.texts == ["one"] && second.answer.texts == ["one", "two"])
        first.answer = .usual
        #expect(first == Holder() && second.answer.texts == ["one", "two"])
    }

    @Test("Wrappers are equal if their values are") func equality() {
        var (first, second) = (Holder(), Holder())
        first.answer.texts = ["one"]
        second.answer.texts = ["one"]
        #expect(first == second && first.hashValue == second.hashValue && first != Holder())
    }
}
