internal import Model

extension CSVReader {
    /// The beginning of a table, to the end of the first line that is not blank.
    struct Head: Sendable {
        /// Maximum size in bytes; this much shows the delimiter even without a line end.
        private static let longest = 64 << 10
        private static let delimiters = [",", ";", "\t"].flatMap(\.utf8)

        private(set) var bytes: [UInt8] = []
        private var counts = [0, 0, 0]
        private var isQuoted = false
        private var isBlank = true

        /// Appends a byte.
        ///
        /// - Returns: whether the head is complete.
        mutating func isWhole(with byte: UInt8) -> Bool {
            bytes.append(byte)
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, let index = Self.delimiters.firstIndex(of: byte) { counts[index] += 1 }
            let isLineBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            // A line with only a byte order mark is blank too.
            if !isLineBreak, byte < 0x80 { isBlank = false }
            return isLineBreak && !isQuoted && !isBlank || bytes.count == Self.longest
        }

        /// The delimiter that Excel's line `sep=;` names; nil for a header.
        var separator: UInt8? {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let match = text.wholeMatch(of: Patterns.separatorLine) else { return nil }
            return match.1.utf8.count == 1 ? match.1.utf8.first : nil
        }

        /// The most frequent delimiter outside of quotes; ties are resolved in the order comma, semicolon, tab.
        var delimiter: UInt8 {
            if let separator { return separator }
            let most = counts.max() ?? 0
            return Self.delimiters[counts.firstIndex(of: most) ?? 0]
        }
    }
}

private enum Patterns {
    static let separatorLine = Pattern(#/[\u{feff}\s]*"?sep=([^A-Za-z0-9"\r\n])"?[ ,;\t]*[\r\n]*/#.ignoresCase())
}
