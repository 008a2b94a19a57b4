/// A change to a field of a row, or a doubt about it.
public struct Remark: Hashable, Sendable {
    /// The kind of a remark.
    public enum Kind: String, Sendable {
        /// The value was rewritten in another form.
        case changed
        /// The value was missing and derived from others, or is ambiguous and one reading was chosen.
        case guessed
        /// The value could not be read and was removed.
        case dropped
        /// The value was left unchanged, but contradicts others.
        case doubted
    }

    /// The name of the field.
    public var field: String
    /// The kind of the remark.
    public var kind: Kind
    /// The old value, with the new one or the reason why it could not be read.
    public var detail: String

    package init(_ field: String, _ kind: Kind, _ detail: String) {
        self.field = field
        self.kind = kind
        self.detail = detail
    }
}

extension String {
    /// The text cut to a length for reports.
    package var shortened: String { count > 60 ? prefix(60) + "…" : self }
}
