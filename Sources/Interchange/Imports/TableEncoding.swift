internal import Model

/// The character encoding of a table, detected from the first field that is not ASCII.
struct TableEncoding: Sendable {
    private enum Kind { case undecided, utf8, windows }

    private var kind = Kind.undecided

    var isWindows: Bool { kind == .windows }

    /// Decodes a field.
    ///
    /// - Throws: an error of the row, if the field is not in the encoding of the previous fields.
    mutating func text(_ field: [UInt8]) throws(FieldError) -> String {
        let text = String(validating: field, as: UTF8.self)
        guard text?.isStreamSafe ?? true else {
            throw .row("has more than \(String.mostMarks) combining marks in a row")
        }
        if kind == .utf8 {
            guard let text else { throw .row("is not UTF-8") }
            return text
        }
        guard field.contains(where: { $0 >= 0x80 }) else { return text ?? "" }
        if let text {
            // Windows-1252 text is very unlikely to be valid UTF-8 by chance.
            guard kind == .undecided else { throw .row("is UTF-8, but a row before it is Windows-1252") }
            kind = .utf8
            return text
        }
        guard let text = Self.windows(field) else { throw .row("is neither UTF-8 nor Windows-1252") }
        kind = .windows
        return text
    }

    /// Decodes Windows-1252; nil if the text has one of the five undefined bytes.
    private static func windows(_ field: [UInt8]) -> String? {
        var text = String.UnicodeScalarView()
        for byte in field {
            guard (0x80..<0xa0).contains(byte) else {
                text.append(Unicode.Scalar(byte))
                continue
            }
            let scalar = others[Int(byte) - 0x80]
            guard scalar != " " else { return nil }
            text.append(scalar)
        }
        return String(text)
    }

    /// The characters of the bytes 80 to 9f (Unicode's table CP1252.TXT); a space means undefined.
    private static let others = Array("€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars)
}
