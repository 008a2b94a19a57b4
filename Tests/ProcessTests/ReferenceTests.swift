import Foundation
import Testing

/// Generated parts of the documents equal the output of the program; `tools/reference` writes them.
@Suite(.timeLimit(.minutes(60))) struct ReferenceTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        .standardizedFileURL

    /// The text between the two lines that mark a part, on any page.
    private func written(_ part: String) throws -> [String] {
        let pages = try FileManager.default.contentsOfDirectory(at: Self.docs, includingPropertiesForKeys: nil)
        return try pages.filter { $0.pathExtension == "md" }.compactMap { page in
            let text = try String(contentsOf: page, encoding: .utf8)
            guard let start = text.range(of: "<!-- cerca reference \(part) -->\n"),
                let end = text[start.upperBound...].range(of: "<!-- end -->\n")
            else { return nil }
            return String(text[start.upperBound..<end.lowerBound])
        }
    }

    @Test(
        "Generated parts of the documents are current",
        arguments: ["configuration", "endpoints", "columns", "verdicts", "problems", "metrics"])
    func generatedParts(part: String) throws {
        let said = try Program.runAll(["reference", part])
        #expect(said.output.count > 500)
        #expect(try written(part) == [said.output])
    }

    @Test("The documentation of Geo has no broken link") func brokenLinks() throws {
        let tool = Self.docs.appending(path: "../tools/docc").standardizedFileURL
        let built = Program.executable.deletingLastPathComponent().path
        let result = try Program.runAll([], ["BIN": built], of: tool)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }
}
