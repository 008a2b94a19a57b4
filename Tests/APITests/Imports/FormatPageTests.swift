import API
import Foundation
import Interchange
import Testing

/// The page of formats: its commands are run over HTTP, and the reports name the columns that it lists as not read.
///
/// With the variable `CERCA_RECORD` the lists are written instead of compared, and you check the difference.
@Suite struct FormatPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    private static let page = root.appending(path: "docs/formats.md")

    /// A row of a table with a command.
    private struct Row: CustomTestStringConvertible {
        let line: String
        let kind: String
        let file: String
        let query: String
        let format: ImportFormat?
        let unread: String

        var testDescription: String { file }

        init?(_ line: String) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, let match = cells[1].wholeMatch(of: #/`cerca import (\w+) (\S+)(.*)`/#) else {
                return nil
            }
            self.line = line
            (kind, file, unread) = (String(match.1), String(match.2), cells[2])
            let words = match.3.split(separator: " ").map(String.init)
            var parameters = ["dry_run=true"]
            var format: ImportFormat?
            for (index, word) in words.enumerated() where word.hasPrefix("--") {
                let value = index + 1 < words.count ? words[index + 1] : ""
                switch word {
                case "--normalise": parameters.append("normalise=true")
                case "--format": format = ImportFormat(rawValue: value)
                default: parameters.append("\(word.dropFirst(2))=\(value)")
                }
            }
            (query, self.format) = (parameters.joined(separator: "&"), format)
        }

        func with(unread: String) -> String {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            return cells.dropLast(2).joined(separator: "|") + "| \(unread) |"
        }
    }

    private static let rows = ((try? String(contentsOf: page, encoding: .utf8)) ?? "").split(separator: "\n").compactMap
    {
        Row(String($0))
    }

    private func unread(_ report: String) -> String {
        let columns = report.matches(
            of: #/column '([^']*)'(?: looks like [a-z ]*)? (?:matches no field|and matches no field|has objects)/#
        ).map { String($0.1) }
        let members = report.matches(of: #/"not read: ([^"]*)"/#).flatMap {
            $0.1.split(separator: ", ").map(String.init)
        }
        let all = Set(columns + members).sorted()
        return all.isEmpty ? "–" : all.map { "`\($0)`" }.joined(separator: " ")
    }

    @Test("The page has at least 30 commands") func count() { #expect(Self.rows.count >= 30) }

    @Test("Each command of the page leaves out the columns that it lists") func commands() async throws {
        var page = try String(contentsOf: Self.page, encoding: .utf8)
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            for row in Self.rows {
                let folder = Self.root.appending(
                    path: row.kind == "tracks" ? "data/messy/tracks" : "data/messy/exports")
                let bytes = try Data(contentsOf: folder.appending(path: row.file))
                let type =
                    row.kind == "tracks"
                    ? TrackFormat.mediaType(of: TrackFormat(fileName: row.file))
                    : try #require(row.format ?? ImportFormat(fileName: row.file)).mediaType
                let reply = try await server.send(
                    "POST /v1/imports/\(row.kind)?\(row.query)", bytes: bytes, type: type)
                #expect(reply.status == 200, "\(row.file): \(reply.text)")
                let unread = unread(reply.body)
                #expect(
                    row.unread == unread || ProcessInfo.processInfo.environment["CERCA_RECORD"] != nil,
                    "\(row.file): \(unread)")
                page = page.replacing(row.line, with: row.with(unread: unread))
            }
        }
        if ProcessInfo.processInfo.environment["CERCA_RECORD"] != nil { try Data(page.utf8).write(to: Self.page) }
    }
}
