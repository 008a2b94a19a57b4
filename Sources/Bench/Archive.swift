internal import Foundation
internal import Interchange

/// Files that may be compressed.
enum Archive {
    /// The text of a file, decompressed if its name ends in `.gz`.
    static func text(_ path: String) throws -> String {
        guard path.hasSuffix(".gz") else { return try String(contentsOfFile: path, encoding: .utf8) }
        let run = try Run("gzip", "-dc", path)
        guard run.status == 0 else { throw MeasurementError("\(path) cannot be unpacked") }
        return run.output
    }

    /// The rows of a CSV file as an import of a kind reads them; nil for unreadable rows.
    static func rows(_ path: String, _ kind: ImportKind) throws -> [[String: String]?] {
        var reader = CSVReader(Synonyms(kind))
        return try (reader.read(text(path).utf8) + reader.finish()).map { row in
            try? row.members.get().compactMapValues { if case .text(let text) = $0 { text } else { nil } }
        }
    }
}
