/// What a normaliser did with a field of a row.
public struct Remark: Hashable, Sendable {
    /// What happened to the value.
    public enum Kind: String, Sendable {
        /// It was written another way.
        case changed
        /// It was not given, and taken from elsewhere, or has several readings of which one was taken.
        case guessed
        /// It could not be read and was left out.
        case dropped
        /// Nothing was done to it, but it does not go with the rest.
        case doubted
    }

    /// The name of the field.
    public var field: String
    /// What happened to the value.
    public var kind: Kind
    /// What it was, and what it became or why it could not be read.
    public var detail: String

    package init(_ field: String, _ kind: Kind, _ detail: String) {
        self.field = field
        self.kind = kind
        self.detail = detail
    }
}

extension String {
    /// The beginning of a text, as much as a report needs.
    package var shortened: String { count > 60 ? prefix(60) + "…" : self }
}
