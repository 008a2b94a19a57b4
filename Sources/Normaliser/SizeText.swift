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

    /// Texts that stand for no size, and for the only size, folded.
    private static let missing: Set = [
        "", "na", "n a", "nd", "n d", "none", "null", "nil", "sin talla", "ohne", "sans",
    ]
    private static let single: Set = [
        "one size", "one size fits all", "one size fits most", "onesize", "osfa", "single size", "talla unica",
        "unica", "unico", "taille unique", "unique", "taglia unica", "tamanho unico", "einheitsgrosse",
        "einheitsgroesse", "universalgrosse", "eine grosse", "mida unica", "een maat", "enkele maat", "o s", "os",
        "t u", "tu", "one sz", "1 size", "onesz", "u",
    ]

    static let systems: Set<String> = ["EU", "UK", "US", "FR", "IT", "JP", "CM", "IN"]

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
        guard let list = Self.list(written) else { return }
        var entries = list.entries
        if let whole = Self.rejoined(entries) {
            notes.append("the broken list '\(Self.short(written))' was read as \(whole.joined(separator: ", "))")
            entries = whole
        } else if list.isDoubtful {
            unknown = [written]
            entries = []
        }
        if let doubt = list.doubt { notes.append(doubt) }
        var system = system?.uppercased()
        var seen: Set<ProductSize> = []
        for entry in entries {
            let (named, size) = Self.taken(entry)
            system = named ?? system
            let ends = size.split(separator: "-", omittingEmptySubsequences: false)
            let expanded = SizeRange.sizes(ends.map { Self.taken(String($0)).size })
            guard !expanded.isEmpty, expanded.count == 1 || named != "IN" else {
                unknown.append(entry)
                continue
            }
            if expanded.count > 1 {
                let step = size.first?.isNumber ?? false ? size.contains(".5") ? "half" : "whole" : "all"
                notes.append("'\(size)' was taken for \(step) sizes from one to the other")
            }
            for size in expanded {
                let prefix = system.flatMap { size.first?.isNumber ?? false ? $0 + ":" : nil } ?? ""
                guard !Self.isPair(size), let size = ProductSize(prefix + size) else {
                    unknown.append(entry)
                    continue
                }
                if seen.insert(size).inserted { sizes.append(size) }
            }
        }
    }

    /// Whether a number stands before a colon, which is not a system, but may be a size before its quantity.
    private static func isPair(_ size: String) -> Bool { size.contains(Patterns.pair) }

    /// The entries of a list; nil if it stands for no size.
    private static func list(_ written: String) -> SizeList? {
        let words = PlainText.words(of: written).joined(separator: " ")
        if missing.contains(words) { return nil }
        return SizeList(single.contains(words) ? "ONESIZE" : written)
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

private enum Patterns {
    static let pair = Pattern(#/^\d+:/#)
}
