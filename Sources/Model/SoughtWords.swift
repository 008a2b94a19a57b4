/// Search words with their alternatives.
public struct SoughtWords: Hashable, Sendable {
    /// The normalized words as typed (``PlainText``); each matches as a prefix of a word.
    public var typed: [String]
    /// The alternatives, each a list of words that match exactly.
    public var others: [[String]]

    /// Creates a search for all typed words, or for all words of one alternative.
    public init(_ typed: [String], or others: [[String]] = []) {
        self.typed = typed
        self.others = others
    }
}
