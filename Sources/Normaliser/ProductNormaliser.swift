internal import Foundation
public import Model

/// Normalizes the rows of catalogs from other programs.
///
/// Words become standard words, whatever their column. Missing values are searched for in the name, the description and
/// the other columns. Unknown values stay unchanged. All changes are reported.
public struct ProductNormaliser: Sendable {
    private let lexicon: Lexicon
    private let prices: PriceReader

    /// - Parameters:
    ///   - lexicon: the words.
    ///   - currency: the currency of prices without one; nil if unknown.
    ///   - now: the time at which prices are paid; nil if unknown, so that no sale with dates counts.
    public init(lexicon: Lexicon, currency: Currency? = nil, now: Timestamp? = nil) {
        self.lexicon = lexicon
        prices = PriceReader(currency: currency, now: now)
    }

    /// A normalized row, with remarks.
    public struct Result: Sendable {
        /// The texts by field.
        public fileprivate(set) var texts: [String: String] = [:]
        /// The lists by field.
        public fileprivate(set) var lists: [String: [String]] = [:]
        /// The price in minor units; nil if there is none.
        public fileprivate(set) var price: Int64?
        /// Changes, guesses and removals.
        public fileprivate(set) var remarks: [Remark] = []
        /// Whether the id was derived from brand and name.
        public fileprivate(set) var hasGuessedID = false
        /// The columns without a field.
        public fileprivate(set) var others: [String: String] = [:]
        /// The field as which each column was read, and `option` for names and values of options.
        public fileprivate(set) var fields: [String: String] = [:]

        fileprivate mutating func remark(_ field: String, _ kind: Remark.Kind, _ detail: String) {
            remarks.append(Remark(field, kind, detail))
        }
    }

    /// Normalizes a row of texts by column; empty texts count as missing, and lists are separated by `;`.
    ///
    /// - Parameters:
    ///   - row: the texts.
    ///   - isInDecimals: whether other rows have decimals in the column `price`, so that its whole numbers are not
    ///     minor units.
    ///   - isApart: whether a column is left among the others, whatever its name means.
    /// - Returns: the normalized row, which depends only on these values.
    public func normalised(
        _ row: [String: String], isInDecimals: Bool = false, isApart: (String) -> Bool = { _ in false }
    ) -> Result {
        var result = Result()
        let (row, options) = ProductOptions.unfolded(row)
        for column in options { result.fields[column] = "option" }
        let apart = row.filter { isApart($0.key) && !$0.value.isEmpty }
        var columns = ColumnNames(apart.isEmpty ? row : row.filter { apart[$0.key] == nil })
        var named: [String: String] = [:]
        for (field, names) in Self.columns(of: row) {
            guard let (name, column, text) = columns.take([field] + names) else { continue }
            if field == "name", Self.articles.contains(name) {
                result.remark(field, .guessed, "'\(text.shortened)' is in column '\(column)', and no other is a name")
            }
            result.texts[field] = text
            named[field] = name
            result.fields[column] = field
        }
        let priceColumn = columns.completePrice(
            in: &result.texts, result.fields.first { $0.value == "price" }?.key, usual: prices.currency)
        if let priceColumn, result.fields[priceColumn] == nil { result.fields[priceColumn] = "price" }
        let (sale, ofSale) = columns.takeSale()
        let discount = sale == nil && result.texts["price"] != nil ? columns.takeDiscount() : nil
        for column in ofSale + (discount?.columns ?? []) { result.fields[column] = "price" }
        result.others = columns.rest.merging(apart) { _, own in own }
        plainDescription(&result)
        addresses(&result)
        let sources = sources(result)
        words(.color, "colors", sources, &result)
        words(.material, "materials", sources, &result)
        gender(sources, &result)
        category(sources, &result)
        sizes(named["sizes"], &result)
        price(PriceReader.Whole(in: priceColumn, isInDecimals: isInDecimals), sale, discount, &result)
        if result.texts["id"] == nil { guessID(&result) }
        return result
    }

    /// Removes HTML tags from the description.
    private func plainDescription(_ result: inout Result) {
        guard let text = result.texts["description"], let plain = Self.withoutTags(text) else {
            return
        }
        result.texts["description"] = plain.replacing(Patterns.spaces, with: " ").trimmingCharacters(in: .whitespaces)
        result.remark("description", .changed, "HTML tags were removed")
    }

    /// The text with a blank in place of each tag; nil for one without elements.
    ///
    /// A pattern would search for the end of a tag from each `<`.
    private static func withoutTags(_ text: String) -> String? {
        guard let end = text.lastIndex(of: ">"), text[..<end].contains(Patterns.element) else { return nil }
        var plain = ""
        var rest = text[...]
        while let opening = rest.firstIndex(of: "<"), let closing = rest[opening...].firstIndex(of: ">") {
            plain += rest[..<opening] + " "
            rest = rest[rest.index(after: closing)...]
        }
        return plain + rest
    }

    /// Keeps the first URL of each field, and removes texts without one.
    private func addresses(_ result: inout Result) {
        for field in ["url", "photo"] {
            guard let text = result.texts[field] else { continue }
            let first = text.firstMatch(of: Patterns.firstURL).map { String($0.output) }
            guard first != text else { continue }
            result.texts[field] = first
            result.remark(
                field, first == nil ? .dropped : .changed,
                first == nil
                    ? "'\(text.shortened)' is not an http or https address" : "the first of several addresses was used")
        }
    }

    /// The longest brand that is searched for in a name, in bytes.
    private static let longestBrand = 200

    /// The texts to search for words: the name without the brand (which may be Off White), the description, the other
    /// columns.
    private func sources(_ result: Result) -> [(name: String, text: String)] {
        var name = result.texts["name"] ?? ""
        if let brand = result.texts["brand"], !brand.isEmpty, brand.utf8.count <= Self.longestBrand {
            name = PlainText.of(name).replacing(PlainText.of(brand), with: " ")
        }
        let others = result.others.sorted { $0.key < $1.key }.map { name, text in
            // The words in a URL are poor evidence.
            (name: "column '\(name)'", text: text.replacing(Patterns.url, with: " "))
        }
        return [("the name", name), ("the description", result.texts["description"] ?? "")] + others
    }

    private func words(
        _ kind: Lexicon.Kind, _ field: String, _ sources: [(name: String, text: String)], _ result: inout Result
    ) {
        if let text = result.texts.removeValue(forKey: field) {
            let given = Self.entries(text)
            let standards = given.flatMap { entry in
                let found = lexicon.standards(in: entry, kind)
                return found.isEmpty ? [lexicon.standard(entry, kind) ?? entry] : found
            }
            result.lists[field] = standards.once
            if standards.once != given {
                result.remark(
                    field, .changed, "'\(text.shortened)' was read as \(standards.once.joined(separator: ", "))")
            }
            return
        }
        for source in sources {
            let found = lexicon.standards(in: source.text, kind)
            guard !found.isEmpty else { continue }
            result.lists[field] = found
            result.remark(field, .guessed, "\(found.joined(separator: ", ")) is in \(source.name)")
            return
        }
    }

    private static func entries(_ text: String) -> [String] {
        text.split { ";,/|&\n".contains($0) }.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private func category(_ sources: [(name: String, text: String)], _ result: inout Result) {
        // A given category may be more specific than one of its words: a boot liner is not a boot.
        if let text = result.texts["category"] {
            // The last part of a path such as `Shoes > Pumps` is the most specific.
            let last = text.split { ">/".contains($0) }.last.map { $0.trimmingCharacters(in: .whitespaces) }
            if let standard = lexicon.standard(text, .category) ?? last.flatMap({ lexicon.standard($0, .category) }) {
                replace("category", text, by: standard, &result)
            }
            return
        }
        single(.category, "category", sources, &result) { $0.first }
    }

    private func replace(_ field: String, _ text: String, by standard: String, _ result: inout Result) {
        guard standard != text else { return }
        result.texts[field] = standard
        result.remark(field, .changed, "'\(text.shortened)' was read as \(standard)")
    }

    private func gender(_ sources: [(name: String, text: String)], _ result: inout Result) {
        if result.texts["gender"] == nil, let mark = result.texts["name"]?.firstMatch(of: Patterns.parentheses),
            mark.output.1.uppercased() != "M", let gender = lexicon.standard(String(mark.output.1), .gender)
        {  // (M) may be a size as well.
            result.texts["gender"] = gender
            result.remark("gender", .guessed, "\(gender) is in the name, as (\(mark.output.1))")
            return
        }
        // A text that names several genders is ambiguous.
        single(.gender, "gender", sources, &result) { $0.count == 1 ? $0[0] : nil }
    }

    private func single(
        _ kind: Lexicon.Kind, _ field: String, _ sources: [(name: String, text: String)], _ result: inout Result,
        choose: ([String]) -> String?
    ) {
        if let text = result.texts[field] {
            if let standard = lexicon.standard(text, kind) ?? choose(lexicon.standards(in: text, kind)) {
                replace(field, text, by: standard, &result)
            }
            return
        }
        for source in sources {
            guard let standard = choose(lexicon.standards(in: source.text, kind)) else { continue }
            result.texts[field] = standard
            result.remark(field, .guessed, "\(standard) is in \(source.name)")
            return
        }
    }

    private func sizes(_ column: String?, _ result: inout Result) {
        let system = column?.split(separator: "_").first { ["eu", "uk", "us"].contains($0) }.map(String.init)
        let text: String
        let given = result.texts.removeValue(forKey: "sizes")
        if let given {
            text = given
        } else {
            guard let found = Self.sizes(in: result.texts["description"] ?? "") else { return }
            text = found
        }
        let read = SizeText(text, system: system)
        if !read.sizes.isEmpty { result.lists["sizes"] = read.sizes.map(\.text) }
        let sizes = read.sizes.map(\.text).joined(separator: ", ")
        if given == nil, !read.sizes.isEmpty { result.remark("sizes", .guessed, "\(sizes) is in the description") }
        for note in read.notes { result.remark("sizes", .guessed, note) }
        if given != nil, read.notes.isEmpty, read.sizes.map(\.text) != Self.entries(text) {
            result.remark("sizes", .changed, "'\(text.shortened)' was read as \(sizes.isEmpty ? "none" : sizes)")
        }
        for entry in read.unknown {
            let reason =
                entry.count > SizeText.longest ? "has more than \(SizeText.longest) characters" : "is not a size"
            result.remark("sizes", .dropped, "'\(entry.shortened)' \(reason)")
        }
    }

    /// The list after a word for sizes in English or Spanish.
    private static func sizes(in description: String) -> String? {
        let text = PlainText.of(description)
        let number = #"(?:(?:eu|uk|us)[ :]?)?\d{1,2}(?:[.]5|½)?"#
        let pattern =
            #"\b(?:sizes?|tallas?|numeros?):? +(\#(number)(?: *(?:-|–|/|,|;|to|a|and|y) *\#(number))*)(?!\d|\.\d)"#
        guard let expression = try? NSRegularExpression(pattern: pattern),
            let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
            let range = Range(match.range(at: 1), in: text)
        else { return nil }
        return String(text[range]).replacing(Patterns.spaces, with: " ").replacing(Patterns.rangeWord, with: "-")
            .replacing(Patterns.listWord, with: ",")
    }

    private func price(
        _ whole: PriceReader.Whole, _ sale: Sale?, _ discount: Discount?, _ result: inout Result
    ) {
        let text = result.texts.removeValue(forKey: "price")
        guard let reading = prices.read(text, sale, discount, beside: result.texts["currency"], whole) else { return }
        result.price = reading.price
        result.texts["currency"] = reading.currency
        result.remarks += reading.remarks
    }

    /// Derives a deterministic id from brand and name.
    private func guessID(_ result: inout Result) {
        guard let name = result.texts["name"], let id = MadeID.of([result.texts["brand"], name]) else { return }
        result.texts["id"] = id
        result.hasGuessedID = true
        result.remark("id", .guessed, "'\(id)' was made from brand and name")
    }
}

extension [String] {
    /// The texts without duplicates, in order of first occurrence.
    fileprivate var once: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

private enum Patterns {
    static let element = Pattern(#/<\/?[A-Za-z]/#)
    static let spaces = Pattern(#/\s+/#)
    /// A URL up to a blank, or up to the marks before another one; no mark is read twice.
    static let firstURL = Pattern(#/https?:\/\/\S(?:[^,;|\s]++|[,;|]++(?![,;|\s]*https?:\/\/))*+/#)
    static let url = Pattern(#/https?:\/\/\S+/#)
    static let parentheses = Pattern(#/\((\w+)\)/#)
    static let rangeWord = Pattern(#/ ?(?:–|\bto\b|\ba\b) ?/#)
    static let listWord = Pattern(#/ ?(?:;|\band\b|\by\b) ?/#)
}
