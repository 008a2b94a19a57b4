internal import Foundation

/// A row of an imported file, with its members by column name.
package struct ImportRow {
    /// The row number, counted from 1; the header of a table is row 1.
    package var number: Int
    package var members: Result<[String: JSON], FieldError>

    /// Approximate size of the row's texts, in bytes.
    package var size: Int {
        guard case .success(let members) = members else { return 0 }
        return members.values.reduce(0) { size, value in
            if case .text(let text) = value { size + text.utf8.count } else { size + 64 }
        }
    }
}

/// Splits a file into rows as its pieces arrive, and holds at most the incomplete row in memory.
///
/// A malformed or overlong row is returned as a row with an error. An error is thrown only if no further row can be
/// read.
package protocol RowReader: Sendable {
    /// Returns the rows that the next piece completes.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(FormError) -> [ImportRow]
    /// Returns the rows that the end of the file completes.
    mutating func finish() throws(FormError) -> [ImportRow]
    /// Input that was interpreted differently from how it was written, such as synonyms of columns.
    var notes: [String] { get }
    /// The columns of a table that has been begun, in order, each with its name in the file.
    var header: [(name: String, column: String)] { get }
}

extension RowReader {
    package var header: [(name: String, column: String)] { [] }
}

/// Maximum size of a row, in bytes.
package let longestImportRow = 4 << 20

extension FieldError {
    /// An error of a row as a whole.
    package static func row(_ detail: String, _ code: Code = .format) -> FieldError {
        FieldError(pointer: "", code: code, detail: detail)
    }

    package static let overlongRow = row("has more than \(longestImportRow) bytes")
}

/// Alternative names of columns and fields.
package struct Synonyms: Sendable {
    private let names: [String: String]

    /// The synonyms for files of a kind, because elsewhere `color` or `time` may be a field of that name.
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
            case .pings: Self.positions.merging(Self.accuracies) { name, _ in name }
            }
    }

    private init(_ names: [String: String]) { self.names = names }

    /// The synonyms for tracks, in which other names of an accuracy may stand beside it.
    package static let tracks = Synonyms(positions)

    private static let positions = [
        "latitude": "lat", "lng": "lon", "long": "lon", "longitude": "lon", "timestamp": "t", "time": "t",
        "datetime": "t", "accuracy": "accuracy_m", "altitude": "altitude_m", "speed": "speed_mps",
    ]
    private static let accuracies = Dictionary(
        uniqueKeysWithValues: [
            "hacc", "h_acc", "haccuracy", "horizontalaccuracy", "horizontal_accuracy", "accuracymeters",
            "accuracy_meters",
        ].map { ($0, "accuracy_m") })

    /// The standard name for a header.
    package func standard(_ header: String) -> String {
        let name = Self.folded(header)
        return names[name] ?? name
    }

    /// The header in lowercase without surrounding spaces.
    package static func folded(_ header: String) -> String { header.trimmingCharacters(in: .whitespaces).lowercased() }
}

extension [String: JSON] {
    /// The members under their standard names, or an error if two of them have the same one.
    ///
    /// A `null` member gives way to another with the same standard name.
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
