/// The delimiter between the cells of a table, which an import detects.
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
