import Foundation
import Testing

/// Habits of a private language that readers of the field would have to translate.
///
/// Each has a budget that may only fall.
@Suite struct WordTests {
    private struct Habit: CustomTestStringConvertible {
        let name: String
        /// The occurrences that are left, such as words of the wire in quotes.
        let budget: Int
        let pattern: @Sendable (String) -> Int

        var testDescription: String { name }

        init(_ name: String, _ budget: Int, _ expression: String) {
            (self.name, self.budget) = (name, budget)
            pattern = { text in
                guard let regex = try? Regex(expression).anchorsMatchLineEndings() else { return .max }
                return text.matches(of: regex).count
            }
        }
    }

    private static let habits = [
        Habit("What or Who as a subject", 0, #"(?:^|[.!?:] )(?:What|Who|Whoever|Whom|Of whom|Whose) (?![^.!?\n]*\?)"#),
        Habit("tell, told", 0, #"\b(?:[Tt]ells?|[Tt]old|[Tt]elling)\b"#),
        Habit("so many, so long, so much", 0, #"\b[Ss]o (?:many|long|much)\b(?! as)"#),
        Habit("somebody, nobody, everybody", 6, #"\b(?:[Ss]omebody|[Nn]obody|[Ee]verybody|[Ww]hoever)\b"#),
        Habit("that of, those of", 0, #"\b(?:[Tt]hat|[Tt]hose) of\b"#),
        Habit("anew, meanwhile, any more", 0, #"\b(?:is to be|are to be|[Aa]new|[Mm]eanwhile|but for|any more)\b"#),
    ]

    /// The comments of a file, one a line.
    private static func comments(of file: SourceFile) -> String {
        file.lines.compactMap { line -> Substring? in
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("//") else { return nil }
            return text.drop { $0 == "/" }.drop { $0 == " " }
        }.joined(separator: "\n")
    }

    private static let texts: String = {
        let files = (try? SourceFile.all(in: "Sources") + SourceFile.all(in: "Tests")) ?? []
        return files.map(comments).joined(separator: "\n")
    }()

    @Test("Comments use the terms of the field", arguments: habits) private func comments(habit: Habit) {
        #expect(Self.texts.count > 100_000)
        let count = habit.pattern(Self.texts)
        #expect(count <= habit.budget, "\(habit.name): \(count)")
        #expect(count >= habit.budget, "\(habit.name): \(count) are left, so the budget is that")
    }
}
