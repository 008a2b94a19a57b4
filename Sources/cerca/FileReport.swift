internal import Foundation
internal import Normaliser

/// The report of the import of one file, in the form of the HTTP interface.
struct FileReport {
    let file: String
    let json: String
    private let content: Content

    private struct Content: Decodable {
        var rows: Int
        var created: Int?
        var updated: Int?
        /// The number of entities missing from the file, which were or would be deleted.
        var pruned: Int?
        var verdicts: [String: Int]?
        /// How the columns were read, in a dry run.
        var columns: [ColumnLine]?
        var columns_truncated: Bool?
        var refused: [Row]
        var refused_count: Int
        var notes: [String]?
        /// The first normalized rows, if normalization was requested.
        var normalised: [NormalisedRow]?
        var normalised_count: Int?
        /// The first rows left unchanged although a value looks wrong.
        var doubted: [NormalisedRow]?
        var doubted_count: Int?
        /// The first places whose opening hours were not understood.
        var hours_not_understood: [NormalisedRow]?
        var hours_not_understood_count: Int?
        /// For tracks: the range of fix times, and the error after which the file could not be read.
        var interval: String?
        var broken_off: Break?

        struct Break: Decodable {
            var line: Int?
            var byte: Int?
            var detail: String
        }

        struct Row: Decodable {
            var row: Int
            var line: Int?
            var errors: [Fault]
        }

        struct NormalisedRow: Decodable {
            var row: Int
            var remarks: [Remark]
        }

        struct Remark: Decodable {
            var pointer: String
            var code: String
            var detail: String
        }

        struct Fault: Decodable {
            var pointer: String
            var detail: String
        }
    }

    struct Verbosity {
        var isDry = false
        /// Whether nothing is printed for a file without errors.
        var isQuiet = false
        /// Whether all reports are printed as one JSON text at the end instead of sentences.
        var isJSON = false
    }

    /// Parses a report and prints its summary.
    init(_ file: String, json: String, _ verbosity: Verbosity) throws {
        self.file = file
        self.json = json
        content = try JSONDecoder().decode(Content.self, from: Data(json.utf8))
        if !verbosity.isJSON, !verbosity.isQuiet || !isClean { printSummary(verbosity.isDry) }
    }

    private var refusedCount: Int { content.refused_count }

    /// Whether nothing was refused or unreadable.
    var isClean: Bool { content.refused_count == 0 && content.broken_off == nil }

    private static let shownRows = 20

    private func printSummary(_ isDry: Bool) {
        var parts = ["\(content.rows) rows"]
        if isDry { parts.append("\(content.rows - refusedCount) well formed") }
        if !isDry, let created = content.created { parts.append("\(created) created") }
        if !isDry, let updated = content.updated { parts.append("\(updated) updated or unchanged") }
        if let pruned = content.pruned { parts.append("\(pruned) \(isDry ? "to be pruned" : "pruned")") }
        parts += (content.verdicts ?? [:]).sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
        if let count = content.normalised_count { parts.append("\(count) corrected") }
        if let count = content.doubted_count { parts.append("\(count) doubtful") }
        if let count = content.hours_not_understood_count { parts.append("\(count) with hours not understood") }
        parts.append("\(refusedCount) refused")
        print("\(file == FilePieces.standardInput ? "standard input" : file): \(parts.joined(separator: ", "))")
        ColumnLine.lines(of: content.columns ?? []).forEach { print("  \($0)") }
        if content.columns_truncated ?? false { print("  ... and more columns") }
        if let interval = content.interval { print("  from \(interval.replacing("/", with: " to "))") }
        for note in content.notes ?? [] { print("  note: \(note)") }
        if let end = content.broken_off {
            let place = end.line.map { "line \($0)" } ?? end.byte.map { "byte \($0)" } ?? "its beginning"
            print("  not read past \(place): \(end.detail)")
        }
        show(content.normalised, of: content.normalised_count, "corrected")
        show(content.doubted, of: content.doubted_count, "doubtful")
        show(content.hours_not_understood, of: content.hours_not_understood_count, "with hours not understood")
        let shown = content.refused.prefix(Self.shownRows)
        for row in shown {
            let reasons = row.errors.map { fault in
                let field = fault.pointer.split(separator: "/").joined(separator: ".")
                return field.isEmpty ? fault.detail : "\(field) \(fault.detail)"
            }
            let place = row.line.map { "row \(row.row), line \($0)" } ?? "row \(row.row)"
            print("  \(place): \(reasons.joined(separator: "; "))")
        }
        if refusedCount > shown.count {
            let written = content.refused.count < refusedCount ? "the first \(content.refused.count)" : "them all"
            print("  ... and \(refusedCount - shown.count) more; --report FILE writes \(written)")
        }
    }

    private func show(_ rows: [Content.NormalisedRow]?, of count: Int?, _ what: String) {
        for row in rows?.prefix(Self.shownRows) ?? [] {
            let remarks = row.remarks.map { "\($0.pointer.dropFirst()) \($0.code): \($0.detail)" }
            print("  row \(row.row): \(remarks.joined(separator: "; "))")
        }
        if let count, count > Self.shownRows {
            print("  ... and \(count - Self.shownRows) more \(what); --report FILE writes them")
        }
    }

    static func text(of reports: [FileReport]) -> String {
        let members = reports.map { "{\"file\":\(quoted($0.file)),\"report\":\($0.json)}" }
        return "[\(members.joined(separator: ",\n"))]\n"
    }

    static func write(_ reports: [FileReport], to path: String) throws {
        do { try Data(text(of: reports).utf8).write(to: URL(fileURLWithPath: path)) } catch {
            throw Exit.failing("\(path): \(error.localizedDescription)", Exit.inputOutput)
        }
    }

    private static func quoted(_ text: String) -> String {
        (try? String(decoding: JSONEncoder().encode(text), as: UTF8.self)) ?? "\"\""
    }
}
