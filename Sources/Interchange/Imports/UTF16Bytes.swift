/// Turns the bytes of a text into UTF-8 if it is UTF-16, as it arrives.
///
/// UTF-16 has a byte order mark, or a zero in one of its first two bytes. Excel's "Unicode text" is such a file.
struct UTF16Bytes: Sendable {
    private enum Form { case undecided, other, little, big }

    private var form = Form.undecided
    /// The bytes that do not complete a code unit, or with which the form is not known.
    private var rest: [UInt8] = []
    private var high: UInt16?

    var isUTF16: Bool { form == .little || form == .big }
    /// Whether the text is known to be in another encoding, so that its bytes need not pass here.
    var isOther: Bool { form == .other }

    /// The text of the next bytes.
    mutating func utf8(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        rest += bytes
        if form == .undecided, rest.count >= 2 {
            switch (rest[0], rest[1]) {
            case (0xff, 0xfe), (1..., 0): form = .little
            case (0xfe, 0xff), (0, 1...): form = .big
            default: form = .other
            }
        }
        guard isUTF16 else { return form == .other ? finish() : [] }
        var text = String.UnicodeScalarView()
        for index in stride(from: 0, to: rest.count - 1, by: 2) {
            let (first, second) = (UInt16(rest[index]), UInt16(rest[index + 1]))
            append(form == .little ? second << 8 | first : first << 8 | second, to: &text)
        }
        rest = rest.count % 2 == 1 ? [rest[rest.count - 1]] : []
        return Array(String(text).utf8)
    }

    /// The bytes left at the end.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    private mutating func append(_ unit: UInt16, to text: inout String.UnicodeScalarView) {
        defer { high = UTF16.isLeadSurrogate(unit) ? unit : nil }
        if UTF16.isTrailSurrogate(unit), let high {
            text.append(Unicode.Scalar(0x10000 + (UInt32(high) - 0xd800) << 10 + UInt32(unit) - 0xdc00) ?? "\u{fffd}")
            return
        }
        if high != nil { text.append("\u{fffd}") }
        if !UTF16.isLeadSurrogate(unit) { text.append(Unicode.Scalar(unit) ?? "\u{fffd}") }
    }
}
