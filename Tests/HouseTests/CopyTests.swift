import Testing

/// Fields that the copy initializers or the canonical dump omit, which nothing else would notice.
@Suite struct CopyTests {
    /// A type with a copy initializer: its stored properties, and those that the initializer assigns.
    private struct Copied {
        var path: String
        var stored: Set<String> = []
        var given: Set<String> = []

        /// Returns nil for a file without a copy initializer; a file has at most one.
        init?(_ file: SourceFile) {
            guard let copy = file.lines.firstIndex(where: { $0.contains("init(copying other: borrowing ") }) else {
                return nil
            }
            path = file.path
            for line in file.lines[..<copy] where !line.hasSuffix("{") && !line.contains(" static ") {
                if let name = line.prefixMatch(of: #/ {4}(?:[a-z]+(?:\(set\))? )*(?:var|let) (\w+)/#)?.1 {
                    stored.insert(String(name))
                }
            }
            for line in file.lines[(copy + 1)...].prefix(while: { $0 != "    }" }) {
                if let name = line.prefixMatch(of: #/ {8}(\w+) = /#)?.1 { given.insert(String(name)) }
            }
        }
    }

    private func copied() throws -> [Copied] {
        try SourceFile.all(in: "Sources").compactMap(Copied.init)
    }

    @Test("A copy initializer assigns every stored property") func everyProperty() throws {
        let copied = try copied()
        #expect(copied.count == 5)
        for type in copied { #expect(type.stored == type.given, "\(type.path)") }
    }

    /// Except handles and states of people, which are dumped per person, a key, and the clock estimate.
    @Test("The canonical dump covers every stored property of `People`") func dumpCoverage() throws {
        let people = try #require(try copied().first { $0.path.hasPrefix("Sources/Discovery/People/") })
        let dump = try #require(
            try SourceFile.all(in: "Sources/Discovery/Engine").first { $0.path.hasSuffix("/CanonicalDump.swift") })
        let reported = people.stored.filter { name in dump.lines.contains { $0.contains(".\(name)") } }
        #expect(people.stored.subtracting(reported) == ["doubt", "ids", "states", "zones"])
    }
}
