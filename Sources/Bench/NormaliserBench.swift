internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import Model
internal import Normaliser

/// `tools/bench normaliser`: compares the normalization of a messy catalog with labels made by a person.
struct NormaliserBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "normaliser", abstract: "Compare what the normaliser reads with labels made by hand.",
        discussion: """
            Both files are CSV with a header. Columns of the labels: id, as the normaliser gives it; colors, materials, gender, \
            category and sizes, several separated by ;, and price, the least in minor units.
            """)

    @Option(help: "A catalogue.") var products: String
    @Option(help: "Labels of some of its rows.") var labels: String
    @Option(help: "A column of the catalogue to leave out.") var without: String?
    @Option(help: "The currency of prices that name none.") var currency: String?
    @Flag(help: "List every difference.") var all = false

    private static let fields = ["colors", "materials", "gender", "category", "sizes", "price"]

    private struct Score {
        var right = 0
        var wrong = 0
        var missed = 0

        var text: String {
            func share(_ part: Int, _ whole: Int) -> String { whole == 0 ? "-" : short(Double(part) / Double(whole)) }
            return "precision \(share(right, right + wrong)), recall \(share(right, right + missed)) "
                + "(\(right) right, \(wrong) wrong, \(missed) missed)"
        }
    }

    func run() throws {
        let normaliser = ProductNormaliser(lexicon: Lexicon(), currency: currency.flatMap { Currency($0) })
        var found: [String: ProductNormaliser.Result] = [:]
        let rows = try Archive.rows(products, .products).compactMap(\.self)
        for var row in rows {
            if let without { row[without] = nil }
            let result = normaliser.normalised(row)
            if let id = result.texts["id"] { found[id] = result }
        }
        let known = try Archive.rows(labels, .products).compactMap(\.self)
        var scores = Dictionary(uniqueKeysWithValues: Self.fields.map { ($0, Score()) })
        for label in known {
            guard let id = label["id"], let result = found[id] else {
                throw MeasurementError("\(labels): there is no product '\(label["id"] ?? "")'")
            }
            for field in Self.fields {
                let expected = Set((label[field] ?? "").split(separator: ";").map(String.init))
                let read = Self.read(field, result)
                scores[field]?.right += read.intersection(expected).count
                scores[field]?.wrong += read.subtracting(expected).count
                scores[field]?.missed += expected.subtracting(read).count
                if all, read != expected { print("  \(id) \(field): \(read.sorted()), not \(expected.sorted())") }
            }
        }
        print("\(products): \(rows.count) rows, \(known.count) of them labelled")
        for field in Self.fields { print("  \(field): \(scores[field]?.text ?? "")") }
    }

    private static func read(_ field: String, _ result: ProductNormaliser.Result) -> Set<String> {
        if field == "price" { return Set(result.price.map { [String($0)] } ?? []) }
        return Set(result.lists[field] ?? result.texts[field].map { [$0] } ?? [])
    }
}
