import API
import Foundation
import Interchange
import Testing

/// Files as the programs of shops write them, in `data/messy/exports`, each with what is to come of it beside it.
///
/// What is to come begins with the imports that are made, the last of which is that of the file. With the variable
/// `CERCA_RECORD` what comes is written instead of compared: look at the difference.
@Suite struct ForeignExportTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../data/messy/exports")
    private static let ending = ".expected"

    private static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { !$0.hasSuffix(ending) }.sorted()
    }()

    @Test func thereAreManyOfThem() { #expect(Self.names.count >= 30) }

    @Test(arguments: names) func isReadAsItShouldBe(name: String) async throws {
        let record = Self.folder.appending(path: name + Self.ending)
        let expected = try String(contentsOf: record, encoding: .utf8)
        let imports = expected.prefix(upTo: try #require(expected.firstRange(of: "\n\n")).lowerBound)
        var told = String(imports) + "\n\n"
        try await withServer { server in
            var (report, kind) = ("", "")
            for line in imports.split(separator: "\n") {
                let parts = line.split(separator: " ").map(String.init)
                let format = try #require(ImportFormat(fileName: parts[1]))
                let reply = try await server.send(
                    "POST /v1/imports/\(parts[0])", bytes: Data(contentsOf: Self.folder.appending(path: parts[1])),
                    type: format.mediaType)
                (report, kind) = (reply.text, String(parts[0].prefix { $0 != "?" }))
                #expect(parts[1] == name || reply.body.contains(#""refused_count":0"#), "\(reply.text)")
            }
            // A line for each row and note, so that people can read it.
            told += report.replacing(#"{"row""#, with: "\n{\"row\"").replacing(#/,("notes"|"column |"ids |"hours )/#) {
                ",\n\($0.output.1)"
            }
            told += "\n\n" + (try await server.send("GET /v1/exports/\(kind)").body)
        }
        if ProcessInfo.processInfo.environment["CERCA_RECORD"] != nil {
            try Data(told.utf8).write(to: record)
        } else {
            #expect(told == expected)
        }
    }
}
