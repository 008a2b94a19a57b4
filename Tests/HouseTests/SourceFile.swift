import Foundation

/// A source file of the project, by its path from the top level.
struct SourceFile {
    let path: String
    let lines: [Substring]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns the Swift files of a folder, ordered by path.
    static func all(in folder: String) throws -> [SourceFile] {
        let base = root.appending(path: folder)
        guard let paths = FileManager.default.enumerator(atPath: base.path) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
            return SourceFile(
                path: "\(folder)/\(path)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    var length: Int { lines.last == "" ? lines.count - 1 : lines.count }

    var imports: Set<String> {
        Set(
            lines.filter { $0.contains("import ") }.compactMap { line in
                line.prefixMatch(
                    of:
                        #/(?: +(?=internal )|(?:@testable )?)(?:(?:public|package|internal|private) )?import (?:struct |enum )?(\w+)/#
                )
                .map { String($0.1) }
            })
    }

    /// Returns how often a pattern occurs outside of comments.
    func count(of pattern: Regex<Substring>) -> Int {
        lines.filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }.reduce(0) {
            $0 + $1.matches(of: pattern).count
        }
    }

    /// The name and length of each function and initializer, from its first line to its closing brace.
    var functions: [(name: String, length: Int)] {
        let start =
            #/( *)(?:@\w+ |public |package |private |fileprivate |static |mutating |override |nonisolated )*(func [^ (<]+|init[?(<])/#
        return lines.indices.compactMap { index in
            guard let match = lines[index].prefixMatch(of: start), !lines[index].hasSuffix("}") else { return nil }
            let end = lines[index...].firstIndex { $0 == "\(match.1)}" } ?? index
            // A declaration without a body ends where the next declaration begins.
            let next = lines[(index + 1)...].firstIndex {
                $0.hasPrefix("\(match.1)}") || $0.prefixMatch(of: start)?.1 == match.1
            }
            guard next == nil || next == end else { return nil }
            return (String(match.2), end - index + 1)
        }
    }
}

extension SourceFile {
    /// The folder of the file below its module.
    var room: String { String(path.split(separator: "/")[2]) }

    /// The lines without comments and without the contents of string literals.
    private var code: [String] {
        lines.filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }.map {
            guard $0.contains("\"") || $0.contains("//") else { return String($0) }
            return String($0).replacing(#/"(?:\\.|[^"\\])*"/#, with: "\"\"").replacing(#/ \/\/.*/#, with: "")
        }
    }

    /// The top-level types that the file declares and other files may name.
    var types: [String] {
        code.filter { $0.first?.isLetter ?? false || $0.hasPrefix("@") }.compactMap { line in
            line.prefixMatch(
                of:
                    #/(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|final|indirect|nonisolated) )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/#
            ).map { String($0.1) }
        }
    }

    /// The identifiers in the code that begin with a capital letter.
    var names: Set<String> {
        let words = code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
        return Set(words.filter { $0.first?.isASCII ?? false && $0.first?.isUppercase ?? false }.map(String.init))
    }
}
