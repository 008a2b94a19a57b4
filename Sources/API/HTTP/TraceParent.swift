internal import HTTPTypes

/// The caller's trace id of a request, from the header `traceparent` (W3C Trace Context, level 1, 3.2).
struct TraceParent {
    private static let header = HTTPField.Name("traceparent")

    /// 32 hexadecimal digits, not all of them zero.
    let trace: Substring

    /// Returns nil for a request without a valid header, or with several.
    init?(of request: HTTPRequest) {
        guard let header = Self.header else { return nil }
        let values = request.headerFields[values: header]
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, zip(parts, [2, 32, 16, 2]).allSatisfy({ Self.isHex($0, $1) }), parts[0] != "ff",
            parts[0] != "00" || parts.count == 4, parts[1].contains(where: { $0 != "0" }),
            parts[2].contains(where: { $0 != "0" })
        else { return nil }
        trace = parts[1]
    }

    /// Lowercase only, as the standard requires.
    private static func isHex(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
