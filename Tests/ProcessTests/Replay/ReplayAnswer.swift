import Crypto
import Foundation

/// Answers in the form in which a recording has them.
enum ReplayAnswer {
    private static let longest = 600, shown = 300

    /// Replaces the rest of a long answer by its hash.
    static func shortened(_ text: String) -> String {
        guard text.utf8.count > longest else { return text }
        let hash = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
        return "\(text.prefix(shown))\n… \(text.utf8.count) bytes, SHA-256 \(hash)"
    }

    /// Whether an answer equals a recorded answer, which may have been shortened.
    static func isSame(_ answer: String, as recorded: String) -> Bool {
        answer == recorded || shortened(answer) == recorded
    }

    /// Both answers from a little before the first difference on.
    static func difference(_ recorded: String, _ answer: String) -> String {
        let same = zip(recorded, answer).prefix { $0 == $1 }.count
        func part(_ text: String) -> String {
            (same > 60 ? "…" : "") + text.dropFirst(max(0, same - 60)).prefix(200).replacing("\n", with: " ⏎ ")
        }
        return "  was: \(part(recorded))\n  is:  \(part(answer))"
    }
}
