internal import Foundation

/// A row of a file that is imported, by the names of its columns.
struct ImportRow {
    /// Counted from 1; the header of a table is row 1.
    var number: Int
    var members: Result<[String: JSON], FieldError>
}

/// Finds the rows of a file in the pieces of it that arrive, and holds no more than the row that is incomplete.
protocol RowReader: Sendable {
    /// The rows that a further piece completes.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(Problem) -> [ImportRow]
    /// The rows that the end of the file completes.
    mutating func finish() throws(Problem) -> [ImportRow]
    /// What was understood differently from how it was written, such as synonyms of columns.
    var notes: [String] { get }
}

/// The longest row, in bytes.
let longestImportRow = 4 << 20

/// The names of columns and fields that are understood for others.
enum Synonyms {
    private static let names = [
        "latitude": "lat", "lng": "lon", "long": "lon", "longitude": "lon", "timestamp": "t", "time": "t",
        "datetime": "t", "accuracy": "accuracy_m", "altitude": "altitude_m", "speed": "speed_mps",
        "opening_hours": "hours", "tz": "timezone", "birthdate": "born", "birth_date": "born", "colour": "colors",
        "color": "colors", "colours": "colors", "material": "materials", "size": "sizes",
    ]

    /// The name that a header stands for.
    static func standard(_ header: String) -> String {
        let name = header.trimmingCharacters(in: .whitespaces).lowercased()
        return names[name] ?? name
    }
}
