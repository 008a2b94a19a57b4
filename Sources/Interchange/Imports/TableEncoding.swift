/// How the texts of a table are coded, which the first tells that has more than ASCII.
struct TableEncoding: Sendable {
    private enum Kind { case untold, utf8, windows }

    private var kind = Kind.untold

    /// Whether they are Windows-1252.
    var isWindows: Bool { kind == .windows }

    /// A field as a text.
    ///
    /// - Throws: the fault of the row in which it cannot be read as the texts before it.
    mutating func text(_ field: [UInt8]) throws(FieldError) -> String {
        let text = String(validating: field, as: UTF8.self)
        if kind == .utf8 {
            guard let text else { throw .row("is not UTF-8") }
            return text
        }
        guard field.contains(where: { $0 >= 0x80 }) else { return text ?? "" }
        if let text {
            // Hardly a word of Windows-1252 is UTF-8 by chance.
            guard kind == .untold else { throw .row("is UTF-8, but a row before it is Windows-1252") }
            kind = .utf8
            return text
        }
        guard let text = Self.windows(field) else { throw .row("is neither UTF-8 nor Windows-1252") }
        kind = .windows
        return text
    }

    /// A text of Windows-1252; nil if it has one of the five bytes that stand for nothing.
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

    /// What the bytes from 80 to 9f stand for (Unicode's table CP1252.TXT); a space for nothing.
    private static let others = Array("€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars)
}
