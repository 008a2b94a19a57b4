import Foundation
import Testing

/// The form of the documents: length, lines, and links.
@Suite struct DocumentTests {
    /// The text of each document, by its path below the top folder.
    private static func documents() throws -> [String: String] {
        let folders = ["", "data", "docs", "docs/decisions", "docs/walkthroughs"]
        var texts: [String: String] = [:]
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
            for name in names where name.hasSuffix(".md") {
                let document = folder.isEmpty ? name : "\(folder)/\(name)"
                texts[document] = try String(contentsOfFile: path(document), encoding: .utf8)
            }
        }
        return texts
    }

    private static func path(_ document: String) -> String { Walkthrough.root.appending(path: document).path }

    /// The lines of a document outside of code blocks, with their numbers.
    private static func prose(_ text: String) -> [(number: Int, line: Substring)] {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
            if line.hasPrefix("```") { isCode.toggle() }
            return isCode || line.hasPrefix("```") ? nil : (number + 1, line)
        }
    }

    /// The anchors of a document's headings, as GitHub makes them.
    private static func anchors(_ text: String) -> Set<String> {
        let headings = prose(text).filter { $0.line.hasPrefix("#") }
        return Set(
            headings.map { heading in
                heading.line.drop { $0 == "#" }.dropFirst().lowercased()
                    .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
            })
    }

    @Test("README and DESIGN are short", arguments: [("README.md", 240), ("DESIGN.md", 250)])
    func length(document: String, lines: Int) throws {
        let text = try #require(try Self.documents()[document])
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= lines)
    }

    @Test("Lines of prose have at most 120 columns") func lineLength() throws {
        for (document, text) in try Self.documents() {
            for (number, line) in Self.prose(text) where !line.hasPrefix("|") {
                #expect(line.count <= 120, "\(document):\(number)")
            }
        }
    }

    @Test("Links lead to existing files and headings") func links() throws {
        let documents = try Self.documents()
        for (document, text) in documents {
            let folder = URL(fileURLWithPath: Self.path(document)).deletingLastPathComponent()
            for link in text.matches(of: #/\]\(([^)\s]+)\)/#).map(\.1) where !link.contains("://") {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let file = parts[0].isEmpty ? Self.path(document) : folder.appending(path: String(parts[0])).path
                let target = URL(fileURLWithPath: file).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: target), "\(document): \(link)")
                guard parts.count == 2 else { continue }
                let text = try #require(
                    documents[String(target.dropFirst(Walkthrough.root.path.count + 1))], "\(document): \(link)")
                #expect(Self.anchors(text).contains(String(parts[1])), "\(document): \(link)")
            }
        }
    }

    @Test("Source files and folders that are named exist") func sourceFiles() throws {
        for (document, text) in try Self.documents() where document != "CHANGELOG.md" {
            for path in text.matches(of: #/`((?:[A-Z]\w*\/)+(?:\w+\.swift)?)`/#).map(\.1) {
                let isThere = ["", "Sources", "Tests", "Sources/API"].contains { folder in
                    FileManager.default.fileExists(atPath: Self.path("\(folder)/\(path)"))
                }
                #expect(isThere, "\(document): \(path)")
            }
        }
    }

    @Test("Every page is in the index") func indexedPages() throws {
        let documents = try Self.documents()
        let index = try #require(documents["docs/README.md"])
        for document in documents.keys where document.hasPrefix("docs/") && document != "docs/README.md" {
            let page = document.dropFirst("docs/".count)
            #expect(index.contains("(\(page))") || page.hasPrefix("decisions/"), "\(page)")
        }
    }
}
