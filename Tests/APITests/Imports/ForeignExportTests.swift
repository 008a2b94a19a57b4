import API
import Foundation
import Interchange
import Testing

/// Exports of other shop programs in `data/messy/exports`, each with its expected result beside it.
///
/// An expected result begins with the imports to make, the last of which is the file's own. With the variable
/// `CERCA_RECORD` results are written instead of compared, and you check the difference.
@Suite struct ForeignExportTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../data/messy/exports")
    private static let ending = ".expected"

    private static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { !$0.hasSuffix(ending) }.sorted()
    }()

    @Test("There are at least 30 exports") func count() { #expect(Self.names.count >= 30) }

    @Test("Each export has its expected result", arguments: names) func results(name: String) async throws {
        let record = Self.folder.appending(path: name + Self.ending)
        let expected = try String(contentsOf: record, encoding: .utf8)
        let imports = expected.prefix(upTo: try #require(expected.firstRange(of: "\n\n")).lowerBound)
        var reported = String(imports) + "\n\n"
        try await withServer { server in
            var (report, kind) = ("", "")
            for line in imports.split(separator: "\n") {
                let parts = line.split(separator: " ").map(String.init)
                let format = ImportFormat(fileName: parts[1]) ?? .csv
                let reply = try await server.send(
                    "POST /v1/imports/\(parts[0])", bytes: Data(contentsOf: Self.folder.appending(path: parts[1])),
                    type: format.mediaType)
                (report, kind) = (reply.text, String(parts[0].prefix { $0 != "?" }))
                #expect(parts[1] == name || reply.body.contains(#""refused_count":0"#), "\(reply.text)")
            }
            // One line for each row and note, so that people can read it.
            reported += report.replacing(#"{"row""#, with: "\n{\"row\"").replacing(
                #/,("notes"|"column |"ids |"hours )/#
            ) {
                ",\n\($0.output.1)"
            }
            reported += "\n\n" + (try await server.send("GET /v1/exports/\(kind)").body)
        }
        if ProcessInfo.processInfo.environment["CERCA_RECORD"] != nil {
            try Data(reported.utf8).write(to: record)
        } else {
            #expect(reported == expected)
        }
    }
}
