/// One or several words of a search, and what else may be written for them.
public struct SoughtWords: Hashable, Sendable {
    /// What was typed, as it is compared (``PlainText``): each word is looked for as the beginning of one.
    public var typed: [String]
    /// What means the same, each in words of its own, which are looked for as they are.
    public var others: [[String]]

    /// What is looked for by words, all of which have to be there, or by one of other rows of words.
    public init(_ typed: [String], or others: [[String]] = []) {
        self.typed = typed
        self.others = others
    }
}
