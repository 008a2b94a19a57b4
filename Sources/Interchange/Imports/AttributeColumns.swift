internal import Normaliser

/// The columns of products that an import keeps as attributes.
///
/// A column such as `attr.frame`, as exports write it, is always kept. Other columns without a field are kept only on
/// request, so that a cost price or a note does not become public unnoticed.
public struct AttributeColumns: Sendable {
    package static let prefix = "attr."
    /// The fields of products, which are no attributes.
    static let fields = Set(ImportKind.products.fields)

    /// The requested names by folded name; nil for all columns without a field.
    private let names: [String: String]?

    /// Requests no columns.
    package init() { names = [:] }

    /// Parses a request: `all`, or names of columns separated by commas.
    ///
    /// - Throws: ``AttributeRequestError``.
    public init(_ text: String) throws(AttributeRequestError) {
        guard text != "all" else {
            names = nil
            return
        }
        var names: [String: String] = [:]
        for name in text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed) {
            guard !name.isEmpty, name.utf8.count <= Fields.longestAttributeName, !name.hasControlCharacter else {
                throw .noName(name)
            }
            guard !Self.fields.contains(name.lowercased()) else { throw .field(name.lowercased()) }
            names[Self.folded(name)] = name
        }
        self.names = names
    }

    /// The requested names, sorted.
    var requested: [String] { (names ?? [:]).values.sorted() }

    /// The attribute that a column is by its own name or by request; nil for other columns.
    func attribute(named column: String) -> String? {
        let prefix = Self.prefix.utf8
        if column.utf8.starts(with: prefix), column.utf8.count > prefix.count {
            return String(decoding: column.utf8.dropFirst(prefix.count), as: UTF8.self)
        }
        guard let names, !names.isEmpty else { return nil }
        return names[Self.folded(column)]
    }

    /// The attribute that a column without a field becomes; nil if it is not kept.
    func attribute(of column: String) -> String? { attribute(named: column) ?? (names == nil ? column : nil) }

    private static func folded(_ name: String) -> String {
        let folded = ColumnNames.folded(name)
        return folded.isEmpty ? name : folded
    }
}

/// An invalid request for attributes.
public enum AttributeRequestError: Error, Hashable, CustomStringConvertible {
    /// The text is empty, too long, or has a control character.
    case noName(String)
    /// A field of products has this name.
    case field(String)

    /// The error as a sentence without its subject.
    public var description: String {
        switch self {
        case .noName:
            "must be all, or names of columns separated by commas, each of 1 to \(Fields.longestAttributeName) bytes"
        case .field(let name): "has '\(name)', which is a field of products and not an attribute"
        }
    }
}
