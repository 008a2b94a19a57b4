extension CSVReader {
    /// The beginning of a table, to the end of the first line that is not blank.
    struct Head: Sendable {
        /// So many bytes tell what separates columns, also without the end of the line.
        private static let longest = 64 << 10
        private static let delimiters = [",", ";", "\t"].flatMap(\.utf8)

        private(set) var bytes: [UInt8] = []
        private var counts = [0, 0, 0]
        private var isQuoted = false
        private var isBlank = true

        /// Takes a further byte.
        ///
        /// - Returns: whether it is the last.
        mutating func isWhole(with byte: UInt8) -> Bool {
            bytes.append(byte)
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, let index = Self.delimiters.firstIndex(of: byte) { counts[index] += 1 }
            let isLineBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            // A byte order mark makes no line either.
            if !isLineBreak, byte < 0x80 { isBlank = false }
            return isLineBreak && !isQuoted && !isBlank || bytes.count == Self.longest
        }

        /// What stands most often outside of quotes; a comma if two do equally.
        var delimiter: UInt8 {
            let most = counts.max() ?? 0
            return Self.delimiters[counts.firstIndex(of: most) ?? 0]
        }
    }
}
