internal import Foundation

/// One JSON object per line (NDJSON).
package struct LineReader: RowReader {
    private let synonyms: Synonyms
    private var line: [UInt8] = []
    private var isOverlong = false
    private var number = 0
    private var renamed: Set<String> = []

    package init(_ synonyms: Synonyms) { self.synonyms = synonyms }

    package var notes: [String] { renamed.sorted() }

    package mutating func read(_ bytes: some Sequence<UInt8>) -> [ImportRow] {
        var rows: [ImportRow] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if let row = endLine() { rows.append(row) }
            } else if line.count < longestImportRow {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return rows
    }

    package mutating func finish() -> [ImportRow] { line.isEmpty ? [] : endLine().map { [$0] } ?? [] }

    private mutating func endLine() -> ImportRow? {
        defer {
            line.removeAll(keepingCapacity: true)
            isOverlong = false
        }
        number += 1
        guard !isOverlong else { return ImportRow(number: number, members: .failure(.overlongRow)) }
        guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) else { return nil }
        do throws(FormError) {
            let json = try JSON(Data(line))
            guard case .object(let members) = json else {
                let fault = FieldError.row("is \(json.kind); must be an object", .type)
                return ImportRow(number: number, members: .failure(fault))
            }
            return ImportRow(number: number, members: members.standardized(by: synonyms, &renamed))
        } catch {
            return ImportRow(number: number, members: .failure(.row(error.detail)))
        }
    }
}
