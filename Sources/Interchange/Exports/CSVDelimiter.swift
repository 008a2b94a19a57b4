/// What separates the cells of a table; an import finds out by itself.
public enum CSVDelimiter: String, CaseIterable, Sendable {
    case comma, semicolon, tab

    package var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        }
    }
}
