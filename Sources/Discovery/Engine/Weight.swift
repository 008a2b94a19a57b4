internal import Model

// The cost of a row with its indexes, and the number of text bytes of equal cost: words have an index of their own.
private let (document, textOfPing) = (4, 400)
private let bytesOfVertex = 16

// The cost of writing a document, as ``Action/weight``.

extension Person {
    var weight: Int { document + (attributes.size + [name, surname, about].size) / textOfPing }
}

extension Place {
    var weight: Int {
        document + (attributes.size + ([name, address, category, hours] + tags).size) / textOfPing
            + (area.map { 2 + $0.vertexCount * bytesOfVertex / textOfPing } ?? 0)
    }
}

extension Product {
    var weight: Int {
        let texts = [brand, name, category, description] + colors + materials + sizes.map(\.text)
        return document + (attributes.size + texts.size) / textOfPing
    }
}

extension StockItem {
    var weight: Int { 2 + sizes.count / 16 }
}

extension [String?] {
    /// In bytes.
    fileprivate var size: Int { reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
}

extension [String: AttributeValue] {
    /// Approximately, in bytes.
    fileprivate var size: Int {
        reduce(0) { sum, attribute in
            let value =
                switch attribute.value {
                case .text(let text): text.utf8.count
                case .list(let texts): texts.reduce(0) { $0 + $1.utf8.count }
                case .number, .flag: 8
                }
            return sum + attribute.key.utf8.count + value
        }
    }
}
