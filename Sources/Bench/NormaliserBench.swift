internal import ArgumentParser
internal import Foundation
internal import Model
internal import Normaliser

/// `tools/bench normaliser`: how much of a messy catalogue is read right, by labels that a person made.
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
        let rows = try Self.rows(products)
        for var row in rows {
            if let without { row[without] = nil }
            let result = normaliser.normalised(row)
            if let id = result.texts["id"] { found[id] = result }
        }
        let known = try Self.rows(labels)
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

    /// The rows of a file by lower-case column.
    private static func rows(_ path: String) throws -> [[String: String]] {
        var records: [[String]] = []
        var record = [""]
        var isQuoted = false
        for character in try Archive.text(path) {
            switch character {
            case "\"":
                // A quote within quotes is written twice: it ends them and begins them again.
                isQuoted.toggle()
            case "," where !isQuoted: record.append("")
            case "\n" where !isQuoted, "\r\n" where !isQuoted:
                records.append(record)
                record = [""]
            default: record[record.count - 1].append(character)
            }
        }
        if record != [""] { records.append(record) }
        let header = records.first?.map { $0.lowercased() } ?? []
        return records.dropFirst().filter { $0.count == header.count }.map {
            Dictionary(zip(header, $0)) { first, _ in first }
        }
    }
}
