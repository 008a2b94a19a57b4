import Testing

/// The picture has two copies, which are compared by its account: what a copy or the account forgets, nothing else would notice.
@Suite struct CopyTests {
    /// A type with a copy of itself: what it stores, and what its copy is given.
    private struct Copied {
        var path: String
        var stored: Set<String> = []
        var given: Set<String> = []

        /// Nil for a file without such a type; a file has one at most.
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

    @Test func aCopyIsGivenAllThatIsStored() throws {
        let copied = try copied()
        #expect(copied.count == 5)
        for type in copied { #expect(type.stored == type.given, "\(type.path)") }
    }

    /// Except for numbers and states of people, of which its lines are made, a key, and the doubt about the clock.
    @Test func theAccountTellsOfAllThatIsKnownOfPeople() throws {
        let people = try #require(try copied().first { $0.path.hasPrefix("Sources/Discovery/People/") })
        let account = try #require(
            try SourceFile.all(in: "Sources/Discovery/Live").first { $0.path.hasSuffix("/Account.swift") })
        let told = people.stored.filter { name in account.lines.contains { $0.contains(".\(name)") } }
        #expect(people.stored.subtracting(told) == ["doubt", "ids", "states", "zones"])
    }
}
