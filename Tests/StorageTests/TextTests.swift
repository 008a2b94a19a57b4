import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Word search, and erasure of the words of deleted people.
@Suite struct TextTests {
    private func person(
        _ number: PersonNumber, _ name: String, _ surname: String? = nil, _ change: (inout Person) -> Void = { _ in }
    )
        throws -> Change
    {
        var person = Person(id: try ID("p\(number)"))
        person.name = name
        person.surname = surname
        change(&person)
        return .people(.put(Versioned(number: number, revision: 1, value: person)))
    }

    private func found(_ store: Store, _ text: String, after: PersonFound? = nil, limit: Int = 9) async throws
        -> [PersonNumber]?
    {
        try await store.people(named: text, bySurname: true, after: after, limit: limit)?.found.map(\.number)
    }

    @Test("Whole words rank before prefixes") func ranking() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([
                person(0, "Anabel", "García"), person(1, "ANA", "Garcia Ruiz"), person(2, "Luis"), person(3, "Aña"),
                person(4, "Anastasia", "O'Brien"),
            ])
            #expect(try await found(store, "ana") == [1, 3, 0, 4], "ñ is an n with a tilde")
            #expect(try await found(store, "GARCÍA an") == [0, 1])
            #expect(try await found(store, "g") == [0, 1])
            #expect(try await found(store, "o'br") == [4])
            #expect(try await found(store, "nobody") == [])
            #expect(try await found(store, " ' ") == nil, "no word")
            #expect(try await store.people(named: "garcia", bySurname: false, after: nil, limit: 9)?.found == [])
            #expect(try await store.people(named: "an", bySurname: false, after: nil, limit: 9)?.found.count == 4)
            var last: PersonFound?
            var paged: [PersonNumber] = []
            while let page = try await store.people(named: "ana", bySurname: true, after: last, limit: 1)?.found,
                let next = page.first
            {
                paged.append(next.number)
                last = next
            }
            #expect(paged == [1, 3, 0, 4])
            try store.close()
        }
    }

    @Test("Parts of texts without spaces are found") func unspaced() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "東京都庁"), person(1, "京都市 Kyoto"), person(2, "ร้านกาแฟ")])
            for (text, numbers) in [
                ("京都", [0, 1]), ("都庁", [0]), ("東京都庁", [0]), ("東京都", [0]), ("市", [1]), ("市kyoto", [1]), ("庁東", []),
                ("กาแฟ", [2]), ("ร้าน", [2]), ("ราน", []), ("ハ", []),
            ] as [(String, [PersonNumber])] {
                #expect(try await found(store, text) == numbers, "\(text)")
            }
            try store.close()
        }
    }

    @Test("A word that is a prefix of another changes nothing") func prefixWord() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "Anabel"), person(1, "Ana"), person(2, "Ana An A"), person(3, "Al")])
            for (text, words, numbers) in [
                ("ana", 1, [1, 2, 0]), ("a an ana a", 1, [2, 0, 1]), ("ana an b", 2, []), ("al an", 2, []),
            ] as [(String, Int, [PersonNumber])] {
                let answer = try await store.people(named: text, bySurname: true, after: nil, limit: 9)
                #expect(answer?.words == words && answer?.found.map(\.number) == numbers, "\(text)")
            }
            let words = (0...Store.mostWords).map { "w\(10 + $0)" }
            #expect(try await found(store, words.joined(separator: " ")) == nil, "too many")
            #expect(try await found(store, (words.dropLast() + words.prefix(3)).joined(separator: " ")) == [])
            try store.close()
        }
    }

    @Test(
        "A search text has no operators",
        arguments: [
            "ana\" OR \"luis", "name:ana", "ana*", "ana NOT luis", "NEAR(ana luis)", "ana) OR (luis", "\"", "^ana",
        ])
    func operators(text: String) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "Ana"), person(1, "Luis")])
            let found = try await found(store, text)
            #expect(
                found == nil || found == [] || found == [0] && !text.lowercased().contains("luis"), "\(found ?? [])")
            try store.close()
        }
    }

    @Test("The index follows changes of documents") func updates() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "Ana"), person(1, "Ana", "Ruiz")])
            try await store.commit([person(0, "Eva"), person(1, "Ana", "Ruiz") { $0.isSearchable = false }])
            #expect(try await found(store, "ana") == [])
            #expect(try await found(store, "ruiz") == [])
            #expect(try await found(store, "eva") == [0])
            try await store.commit([person(1, "Ana", "Roca")])
            #expect(try await found(store, "ana roca") == [1])
            var shop = Place(id: try ID("shop"), kind: "store", name: "Zapatería Sol")
            shop.tags = ["hand made", "sport"]
            shop.address = "Calle Mayor 3"
            try await store.commit([.catalogue(.place(Versioned(number: 0, revision: 1, value: shop)))])
            #expect(try await store.numbers(in: .places, matching: "zapa MADE mayor")?.found == [0])
            shop.tags = []
            try await store.commit([.catalogue(.place(Versioned(number: 0, revision: 2, value: shop)))])
            #expect(try await store.numbers(in: .places, matching: "made")?.found == [])
            try await store.commit([.catalogue(.placeDeleted(0))])
            #expect(try await store.numbers(in: .places, matching: "sol")?.found == [])
            var pump = Product(id: try ID("pump"), name: "Pump")
            pump.colors = ["Röd", "blau"]
            try await store.commit([
                .catalogue(.product(Versioned(number: 7, revision: 1, value: pump), made: Timestamp(milliseconds: 1)))
            ])
            #expect(try await store.numbers(in: .products, matching: "pump rod")?.found == [7])
            try await store.commit([.catalogue(.productDeleted(7))])
            #expect(try await store.numbers(in: .products, matching: "rod")?.found == [])
            try store.close()
        }
    }

    @Test("A full email address finds people who allow that") func emails() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([
                person(0, "Ana") { $0.email = "Ana@example.org" },
                person(1, "Eva") {
                    $0.email = "Ana@Example.org"
                    $0.isSearchableByEmail = true
                    $0.isSearchable = false
                },
            ])
            #expect(try await store.people(withEmail: "ana@example.ORG", after: -1, limit: 9) == [1])
            #expect(try await store.people(withEmail: "ana@example.org", after: 1, limit: 9) == [])
            #expect(try await store.people(withEmail: "ana@example", after: -1, limit: 9) == [])
            try store.close()
        }
    }

    /// Whether the files hold the end of a word; an index may share its first letters with a neighboring word.
    private func holds(_ folder: URL, _ text: String) throws -> Bool {
        try ["cerca.sqlite", "cerca.sqlite-wal"].contains { name in
            let file = folder.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            return try Data(contentsOf: file).range(of: Data(text.utf8)) != nil
        }
    }

    @Test("Names of deleted people are gone from the files") func deletedNames() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "Xquzmarkable"), person(1, "Xquzman")])
            for number in PersonNumber(2)..<40 { try await store.commit([person(number, "Other\(number)")]) }
            try await store.commit([.people(.deleted(0))])
            #expect(try holds(folder, "markable"))
            try await store.scrub()
            #expect(try !holds(folder, "markable"))
            #expect(try await found(store, "xquz") == [1])
            #expect(try await found(store, "other").map(\.count) == 9)
            try store.close()
        }
    }

    @Test("Words that a crash left behind are erased later") func erasureAfterCrash() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "Xquzmarkable"), person(1, "Xquzman")])
            try await store.commit([.people(.deleted(0))])
            try store.close()
            #expect(try holds(folder, "markable"), "nobody scrubbed it")
            let again = try Store(folder: folder)
            try await again.scrub()
            #expect(try !holds(folder, "markable"))
            try again.close()
        }
    }

    @Test("Words that an interrupted merge left behind are erased by the next") func interruptedMerge() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            for part in 0..<8 {
                try await store.commit(
                    try (0..<1000).map {
                        try person(Number(part * 1000 + $0), "Name\(part)x\($0)", "Xquz\(part * 1000 + $0)markable")
                    })
            }
            func isCounted() throws -> Bool {
                try store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM text_erasures") } == 1
            }
            try await store.commit([.people(.deleted(5))])
            try await store.mergeText(steps: 1)
            #expect(try isCounted(), "it has only begun")
            try await store.commit([.people(.deleted(6))])
            try await store.mergeText()
            #expect(try isCounted(), "it is over, and reached the first of the two")
            for _ in 0..<100 where try isCounted() { try await store.mergeText() }
            try await store.scrub()
            #expect(try !isCounted())
            #expect(try !holds(folder, "xquz6markable") && !holds(folder, "xquz5markable"))
            #expect(try await found(store, "xquz7markable") == [7])
            try store.close()
        }
    }

    @Test("Words of deleted and replaced documents are gone from the files") func replacedWords() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            func shop(_ change: (inout Place) -> Void = { _ in }) throws -> Change {
                var shop = Place(id: try ID("shop"), kind: "store", name: "Placenameq")
                shop.address = "Addressq 3"
                shop.category = "Categoryq"
                shop.tags = ["Tagq"]
                change(&shop)
                return .catalogue(.place(Versioned(number: 0, revision: 1, value: shop)))
            }
            func pump(_ change: (inout Product) -> Void = { _ in }) throws -> Change {
                var pump = Product(id: try ID("pump"), name: "Productnameq")
                pump.colors = ["Colorq"]
                change(&pump)
                return .catalogue(
                    .product(Versioned(number: 0, revision: 1, value: pump), made: Timestamp(milliseconds: 1)))
            }
            for number in PersonNumber(1)..<20 { try await store.commit([person(number, "Other\(number)")]) }
            // Documents begin with a capital letter, words in the indexes do not.
            let steps: [(word: String, gone: Change)] = [
                ("firstnameq", try person(0, "Eva", "Surnameq")),
                ("surnameq", try person(0, "Eva", "Surnameq") { $0.isSearchable = false }),
                ("addressq", try shop { $0.address = nil }), ("categoryq", try shop { $0.category = nil }),
                ("tagq", try shop { $0.tags = [] }), ("placenameq", .catalogue(.placeDeleted(0))),
                ("colorq", try pump { $0.colors = [] }), ("productnameq", .catalogue(.productDeleted(0))),
            ]
            try await store.commit([person(0, "Firstnameq", "Surnameq"), shop(), pump()])
            for (word, change) in steps {
                #expect(try holds(folder, word))
                try await store.commit([change])
                try await store.scrub()
                #expect(try !holds(folder, word), "\(word)")
            }
            #expect(try await found(store, "other").map(\.count) == 9)
            try store.close()
        }
    }
}
