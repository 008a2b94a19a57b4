internal import Foundation
internal import HTTPTypes

/// One JSON object a line (NDJSON).
struct LineReader: RowReader {
    private var line: [UInt8] = []
    private var number = 0
    private var renamed: Set<String> = []

    var notes: [String] { renamed.sorted() }

    mutating func read(_ bytes: some Sequence<UInt8>) throws(Problem) -> [ImportRow] {
        var rows: [ImportRow] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                guard line.count <= longestImportRow else {
                    throw Problem(
                        .contentTooLarge, .bodyTooLarge,
                        detail: "Line \(number + 1) has more than \(longestImportRow) bytes.")
                }
                continue
            }
            if let row = endLine() { rows.append(row) }
        }
        return rows
    }

    mutating func finish() -> [ImportRow] { line.isEmpty ? [] : endLine().map { [$0] } ?? [] }

    private mutating func endLine() -> ImportRow? {
        defer { line.removeAll(keepingCapacity: true) }
        number += 1
        guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) else { return nil }
        do throws(Problem) {
            let json = try JSON(Data(line))
            guard case .object(let members) = json else {
                let fault = FieldError(pointer: "", code: .type, detail: "is \(json.kind); expected is an object")
                return ImportRow(number: number, members: .failure(fault))
            }
            return ImportRow(number: number, members: .success(members.standardized(&renamed)))
        } catch {
            let fault = FieldError(pointer: "", code: .format, detail: error.detail ?? "is not JSON")
            return ImportRow(number: number, members: .failure(fault))
        }
    }
}

extension [String: JSON] {
    /// The members under their standard names.
    func standardized(_ renamed: inout Set<String>) -> [String: JSON] {
        var members: [String: JSON] = [:]
        for (name, value) in self {
            let standard = self[name.lowercased()] != nil ? name : Synonyms.standard(name)
            if standard != name.lowercased() { renamed.insert("field '\(name)' was read as '\(standard)'") }
            members[standard] = value
        }
        return members
    }
}
