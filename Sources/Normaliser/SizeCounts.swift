internal import Foundation
internal import Model

/// Sizes with a quantity each, such as `37=3;38=0`.
struct SizeCounts {
    /// The sizes and quantities in the form of an import.
    private(set) var text = ""
    /// Whether the text has another form, such as `37:3; 38:0`.
    private(set) var isGuess = false
    /// The first entry that is not a size; nil if all are.
    private(set) var unknown: String?

    /// Reads a list; nil for one without quantities, and for one in which they cannot be separated from the sizes.
    init?(_ written: String) {
        if written.contains("=") {
            let marks: (Character) -> Bool =
                written.contains(Patterns.separator) ? { ";|\n".contains($0) } : { $0 == "," }
            self.init(
                written.split(whereSeparator: marks).map(Self.entry))
        } else {
            let entries = written.split { ";,|\n ".contains($0) }.map {
                String($0).wholeMatch(of: Patterns.pair).map { (String($0.output.1), Optional(String($0.output.2))) }
            }
            guard entries.allSatisfy({ $0.map { !SizeText.systems.contains($0.0.uppercased()) } ?? false }) else {
                return nil
            }
            self.init(entries)
            isGuess = true
        }
    }

    /// A size, and its quantity if it has one; nil for another text.
    private static func entry(_ written: Substring) -> (size: String, count: String?)? {
        let parts = written.split(separator: "=", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard (1...2).contains(parts.count), !parts[0].isEmpty else { return nil }
        guard parts.count == 2 else { return (parts[0], nil) }
        let isCount = !parts[1].isEmpty && parts[1].allSatisfy(\.isNumber)
        return isCount ? (parts[0], parts[1]) : nil
    }

    private init?(_ entries: [(size: String, count: String?)?]) {
        guard !entries.isEmpty else { return nil }
        var system: String?
        var texts: [String] = []
        for entry in entries {
            guard let (size, count) = entry else { return nil }
            let read = SizeText(size, system: system)
            let isRead = read.sizes.count == 1 && read.unknown.isEmpty
            // A name without a blank, such as 34/32, is one size here.
            guard isRead || !size.contains(where: \.isWhitespace) && ProductSize(size) != nil else {
                unknown = unknown ?? size
                continue
            }
            let text = isRead ? read.sizes[0].text : size.uppercased()
            let parts = text.split(separator: ":")
            if parts.count == 2, SizeText.systems.contains(String(parts[0])) { system = String(parts[0]) }
            texts.append(text + (count.map { "=" + $0 } ?? ""))
        }
        text = texts.joined(separator: ";")
    }
}

private enum Patterns {
    static let separator = Pattern(#/[;|\n]/#)
    static let pair = Pattern(#/(\d{1,3}(?:\.\d)?|\d?X{0,4}[SML]):(\d{1,6})/#.ignoresCase())
}
