internal import Geo
public import Model

/// Parses sizes as written by people and programs.
public struct SizeText: Sendable {
    /// The sizes, in order and without duplicates.
    public private(set) var sizes: [ProductSize] = []
    /// Corrections, as sentences.
    public private(set) var notes: [String] = []
    /// The texts that are not sizes.
    public private(set) var unknown: [String] = []

    /// Maximum length of a list, in characters.
    static let longest = 1000

    private static let systems: Set<String> = ["EU", "UK", "US", "FR", "IT", "JP", "CM"]

    /// Unsupported fractions; a text with one must not be read as another size.
    private static let fractions = [
        ("1/3", "⅓"), ("2/3", "⅔"), ("1/4", "¼"), ("3/4", "¾"), ("1/8", "⅛"), ("3/8", "⅜"), ("5/8", "⅝"), ("7/8", "⅞"),
    ]

    /// Parses a list of sizes of at most 1,000 characters, such as `EU 37, 38` or `2, 2, ., 5`.
    ///
    /// A size system applies until another one is named.
    ///
    /// - Parameters:
    ///   - written: the list.
    ///   - system: the system of sizes that name none; nil for none.
    public init(_ written: String, system: String? = nil) {
        guard written.count <= Self.longest else {
            unknown = [written]
            return
        }
        var text = written.replacing(#/(\d) ?(?:½| 1\/2(?!\d))/#) { "\($0.output.1).5" }
        for (fraction, sign) in Self.fractions { text = text.replacing(" " + fraction, with: sign) }
        // A comma is decimal only before a 5, in a list with semicolons or of a single entry such as "37,5".
        if text.contains(";") || text.wholeMatch(of: #/[^,]*\d\d,5(?!\d)[^,]*/#) != nil {
            text = text.replacing(#/(\d),5(?![\d,.])/#) { "\($0.output.1).5" }
        }
        let parts = text.split { ";,/|\n".contains($0) }
        var entries = parts.map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
        if let whole = Self.rejoined(entries) {
            notes.append("the broken list '\(Self.short(text))' was read as \(whole.joined(separator: ", "))")
            entries = whole
        } else if entries.contains(".") {
            // A list split into characters that cannot be reconstructed.
            unknown = [text]
            entries = []
        }
        var system = system?.uppercased()
        var seen: Set<ProductSize> = []
        for entry in entries {
            let (named, size) = Self.taken(entry)
            system = named ?? system
            let expanded = Self.expanded(size)
            if expanded.count > 1 {
                notes.append(
                    "'\(size)' was taken for \(size.contains(".5") ? "half" : "whole") sizes from one to the other")
            }
            for size in expanded {
                let prefix = system.flatMap { size.first?.isNumber ?? false ? $0 + ":" : nil } ?? ""
                guard let size = ProductSize(prefix + size) else {
                    unknown.append(entry)
                    continue
                }
                if seen.insert(size).inserted { sizes.append(size) }
            }
        }
    }

    /// The system named before or after a size, and the size with its half as a decimal.
    private static func taken(_ entry: String) -> (system: String?, size: String) {
        var size = entry.uppercased()
        var system: String?
        for name in systems {
            if size.hasPrefix(name), size.dropFirst(2).first.map({ $0.isNumber || ":.".contains($0) }) ?? false {
                size = String(size.dropFirst(2))
                system = name
            } else if size.hasSuffix(name), size.dropLast(2).last?.isNumber ?? false {
                size = String(size.dropLast(2))
                system = name
            }
        }
        if size.hasPrefix(":") || size.hasPrefix(".") { size.removeFirst() }
        return (system, size)
    }

    /// The sizes of a range such as `36-42`, in steps of a half if one end is a half.
    private static func expanded(_ size: String) -> [String] {
        let halves = size.split(separator: "-", omittingEmptySubsequences: false).map {
            $0.decimalNumber.map { $0 * 2 }
        }
        guard halves.count == 2, let first = halves[0].flatMap({ Int(exactly: $0) }),
            let last = halves[1].flatMap({ Int(exactly: $0) }), first < last, last - first <= 60
        else { return [size] }
        let step = first % 2 == 0 && last % 2 == 0 ? 2 : 1
        return stride(from: first, through: last, by: step).map { $0 % 2 == 0 ? "\($0 / 2)" : "\($0 / 2).5" }
    }

    /// Rejoins a list that a program split into single characters; nil if it is not such a list, or is ambiguous.
    ///
    /// The reading has at least two sizes in constant steps of a half or of one.
    private static func rejoined(_ entries: [String]) -> [String]? {
        guard entries.count > 2, entries.allSatisfy({ $0.count == 1 && ($0 == "." || Int($0) != nil) }) else {
            return nil
        }
        let digits = entries.compactMap { Int($0) }
        // An increasing list such as "5, 6, 7" is already complete.
        if digits.count == entries.count, zip(digits, digits.dropFirst()).allSatisfy(<) { return nil }
        let text = entries.joined()
        var readings: [[String]] = []
        for length in 1...2 {
            for half in [false, true] {
                let start = text.prefix(length) + (half ? ".5" : "")
                guard text.hasPrefix(start), let first = start.decimalNumber, !text.hasPrefix("0") else { continue }
                for step in [0.5, 1] {
                    if let sizes = sequence(text, from: first, by: step) { readings.append(sizes) }
                }
            }
        }
        return readings.count == 1 ? readings[0] : nil
    }

    private static func sequence(_ text: String, from first: Double, by step: Double) -> [String]? {
        var rest = text[...]
        var size = first
        var sizes: [String] = []
        while !rest.isEmpty {
            let written = size == size.rounded() ? String(Int(size)) : String(size)
            guard rest.hasPrefix(written) else { return nil }
            rest = rest.dropFirst(written.count)
            sizes.append(written)
            size += step
        }
        return sizes.count > 1 ? sizes : nil
    }

    private static func short(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "…" : text }
}
