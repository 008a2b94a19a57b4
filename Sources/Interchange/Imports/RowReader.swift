internal import Foundation

/// A row of a file that is imported, by the names of its columns.
package struct ImportRow {
    /// Counted from 1; the header of a table is row 1.
    package var number: Int
    package var members: Result<[String: JSON], FieldError>

    /// About how many bytes its texts have.
    package var size: Int {
        guard case .success(let members) = members else { return 0 }
        return members.values.reduce(0) { size, value in
            if case .text(let text) = value { size + text.utf8.count } else { size + 64 }
        }
    }
}

/// Finds the rows of a file in the pieces of it that arrive, and holds no more than the row that is incomplete.
///
/// A row that is broken or too long is a row of its own that says so; an error is what leaves no row to be read.
package protocol RowReader: Sendable {
    /// The rows that a further piece completes.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(FormError) -> [ImportRow]
    /// The rows that the end of the file completes.
    mutating func finish() throws(FormError) -> [ImportRow]
    /// What was understood differently from how it was written, such as synonyms of columns.
    var notes: [String] { get }
}

/// The longest row, in bytes.
package let longestImportRow = 4 << 20

extension FieldError {
    /// What is wrong with a row as a whole.
    package static func row(_ detail: String, _ code: Code = .format) -> FieldError {
        FieldError(pointer: "", code: code, detail: detail)
    }

    package static let overlongRow = row("has more than \(longestImportRow) bytes")
}

/// The names of columns and fields that are understood for others.
package struct Synonyms: Sendable {
    private let names: [String: String]

    /// Those of the files of a kind: elsewhere `color` or `time` may be a name of its own.
    package init(_ kind: ImportKind) {
        names =
            switch kind {
            case .people: ["birthdate": "born", "birth_date": "born"]
            case .friends: [:]
            case .places:
                [
                    "latitude": "lat", "lng": "lon", "long": "lon", "longitude": "lon", "opening_hours": "hours",
                    "tz": "timezone",
                ]
            case .products:
                [
                    "colour": "colors", "color": "colors", "colours": "colors", "material": "materials",
                    "size": "sizes",
                ]
            case .stock: ["size": "sizes"]
            case .pings:
                [
                    "latitude": "lat", "lng": "lon", "long": "lon", "longitude": "lon", "timestamp": "t", "time": "t",
                    "datetime": "t", "accuracy": "accuracy_m", "altitude": "altitude_m", "speed": "speed_mps",
                ]
            }
    }

    /// The name that a header stands for.
    package func standard(_ header: String) -> String {
        let name = Self.folded(header)
        return names[name] ?? name
    }

    /// A header without what does not count in it: case, and spaces around it.
    package static func folded(_ header: String) -> String { header.trimmingCharacters(in: .whitespaces).lowercased() }
}

extension [String: JSON] {
    /// The members under their standard names, or the fault that two of them stand for the same; one that is `null` gives way to
    /// another that stands for the same.
    package func standardized(by synonyms: Synonyms, _ renamed: inout Set<String>) -> Result<[String: JSON], FieldError>
    {
        var members: [String: JSON] = [:]
        var names: [String: String] = [:]
        for (name, value) in sorted(by: { $0.key < $1.key }) where value != .null {
            let standard = synonyms.standard(name)
            if let other = names.updateValue(name, forKey: standard) {
                return .failure(
                    FieldError(
                        pointer: "/\(standard.pointerToken)", code: .mismatch,
                        detail: "is given twice, as '\(other)' and as '\(name)'"))
            }
            let folded = Synonyms.folded(name)
            if standard != folded { renamed.insert("field '\(folded)' was read as '\(standard)'") }
            members[standard] = value
        }
        for (name, value) in self where value == .null {
            let standard = synonyms.standard(name)
            if members[standard] == nil { members[standard] = value }
        }
        return .success(members)
    }
}
