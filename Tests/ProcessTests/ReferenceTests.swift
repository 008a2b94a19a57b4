import Foundation
import Testing

/// What the documents say that the program knows is what the program says; `tools/reference` writes it.
@Suite(.timeLimit(.minutes(60))) struct ReferenceTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        .standardizedFileURL

    /// What stands between the two lines that mark a part, on whichever page.
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

    @Test(arguments: ["configuration", "endpoints", "columns", "verdicts", "problems", "metrics"])
    func theDocumentsSayWhatTheProgramSays(part: String) throws {
        let said = try Program.runAll(["reference", part])
        #expect(said.output.count > 500)
        #expect(try written(part) == [said.output])
    }

    @Test func theDocumentationOfGeoHasNoLinkThatLeadsNowhere() throws {
        let tool = Self.docs.appending(path: "../tools/docc").standardizedFileURL
        let built = Program.executable.deletingLastPathComponent().path
        let result = try Program.runAll([], ["BIN": built], of: tool)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }
}
