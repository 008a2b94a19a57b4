import Foundation
import GRDB
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Case and accent folding in every script.
@Suite struct PlainTextTests {
    @Test(
        "Texts that differ only in case or accents are equal",
        arguments: [
            ("Ελένη", "ελενη"), ("ΕΛΕΝΗ", "ελενη"), ("Σίσυφος", "ΣΙΣΥΦΟΣ"), ("Алёна", "АЛЕНА"), ("Straße", "STRASSE"),
            ("GROẞ", "gross"), ("Søren", "soren"), ("Łódź", "lodz"), ("Æsop", "aesop"), ("Đorđe", "dorde"),
            ("Þór", "thor"), ("Iğdır", "igdir"), ("İzmir", "izmir"), ("Œuvre", "oeuvre"), ("ﬁnder", "finder"),
            ("Ｖａｌｅｎｃｉａ", "valencia"), ("Nguyễn Thị", "nguyen thi"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"),
            ("Cafe\u{301}", "café"), ("Zoe\u{308}", "zoë"), ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("Hawaiʻi", "hawaii"), ("Hawai'i", "hawaii"), ("Hawai’i", "hawaii"), ("Kaʻahumanu", "ka'ahumanu"),
            ("Oʻahu", "O’ahu"), ("ʻŌkina", "okina"), ("Qurʾān", "quran"), ("М'ята", "мята"), ("Мʼята", "м’ята"),
            ("п'ять", "п`ять".replacing("`", with: "")), ("сям’я", "сямʼя"), ("Col·legi", "collegi"),
            ("Paraŀlel", "parallel"), ("cʼhoad", "c'hoad"), ("col.legi", "collegi"), ("Col•legi", "collegi"),
            ("col‧legi", "collegi"), ("Hawai`i", "hawaii"), ("Hawai´i", "hawaii"), ("women´s", "women's"),
        ])
    func folding(_ text: String, _ other: String) {
        #expect(PlainText.of(text) == PlainText.of(other))
    }

    @Test(
        "Different letters stay different",
        arguments: [
            ("か", "が"), ("37½", "371/2"), ("②", "2"), ("कि", "की"), ("กิ", "กุ"), ("o", "u"), ("и", "е"),
            ("l'hospitalet", "lhospitalet"), ("qu'elle", "quelle"), ("d'or", "dor"), ("o'neill", "oneill"),
            ("a·b", "ab"), ("S.L.L.", "sll"), ("5'8", "58"),
        ])
    func distinctLetters(_ text: String, _ other: String) {
        #expect(PlainText.of(text) != PlainText.of(other))
    }

    /// U+FDFA stands for 18 letters.
    @Test("No folded text is more than four times as long", arguments: ["\u{fdfa}", "㍿", "㌀", "한", "漢", "㎯", "ﷲ"])
    func expansion(_ letter: String) {
        let text = String(repeating: letter, count: 100)
        #expect(PlainText.of(text).unicodeScalars.count <= 400)
    }

    @Test("Folding is idempotent") func idempotence() {
        for number in RandomCases.seeds(1..<0x3_0000) {
            guard let scalar = Unicode.Scalar(UInt32(number)) else { continue }
            let once = PlainText.of("a\(scalar)a")
            #expect(PlainText.of(once) == once, "U+\(String(number, radix: 16))")
        }
    }

    @Test("Documents are found by their words in every script") func search() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit(try documents())
            try await expectFound(store)
            try store.close()
        }
    }

    @Test("A text index of another version is rebuilt at start") func rebuiltIndex() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit(try documents())
            try store.close()
            try await openFile(folder).write { db in
                for (table, columns) in [("people", "name, surname"), ("places", "name, address, category, tags")] {
                    try db.execute(
                        sql: """
                            DROP TABLE \(table)_text;
                            CREATE VIRTUAL TABLE \(table)_text USING fts5(\(columns), content = '', detail = column,
                                prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 2");
                            """)
                }
                try db.execute(sql: "UPDATE text_version SET version = 0")
            }
            let again = try Store(folder: folder)
            try await expectFound(again)
            let known = try again.inspect { try Int.fetchOne($0, sql: "SELECT version FROM text_version") }
            #expect(known ?? 0 > 0)
            // Later deletions keep the rebuilt indexes up to date.
            try await again.commit([.people(.deleted(0)), .catalogue(.placeDeleted(0))])
            #expect(try await again.people(named: "ελενη", bySurname: true, after: nil, limit: 9)?.found == [])
            #expect(try await again.numbers(in: .places, matching: "strasse")?.found == [])
            try again.close()
            let faults = try DatabaseFile(folder.appending(path: Store.fileName)).integrity { _, _ in }.faults
            #expect(faults == [])
        }
    }

    @Test("A long document is found by the words at its beginning, and its deletion leaves none") func longDocument()
        async throws
    {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var place = Place(id: try ID("long"), kind: "store", name: "Long")
            place.tags = ["alpha"] + Array(repeating: String(repeating: "漢", count: 20), count: 300) + ["omega"]
            try await store.commit([.catalogue(.place(Versioned(number: 0, revision: 1, value: place)))])
            #expect(try await store.numbers(in: .places, matching: "alpha")?.found == [0])
            #expect(try await store.numbers(in: .places, matching: "omega")?.found == [])
            try await store.commit([.catalogue(.placeDeleted(0))])
            #expect(try await store.numbers(in: .places, matching: "alpha")?.found == [])
            try store.close()
            let faults = try DatabaseFile(folder.appending(path: Store.fileName)).integrity { _, _ in }.faults
            #expect(faults == [])
        }
    }

    private func documents() throws -> [Change] {
        let people = try ["Ελένη", "Алёна", "Łukasz", "Søren"].enumerated().map { number, name in
            var person = Person(id: try ID("p\(number)"))
            person.name = name
            return Change.people(.put(Versioned(number: PersonNumber(number), revision: 1, value: person)))
        }
        var shop = Place(id: try ID("shop"), kind: "store", name: "Straße 9")
        shop.tags = ["Ørsted"]
        return people + [.catalogue(.place(Versioned(number: 0, revision: 1, value: shop)))]
    }

    private func expectFound(_ store: Store) async throws {
        for (text, number) in [("ελενη", 0), ("ΕΛΈ", 0), ("алена", 1), ("АЛЁ", 1), ("lukasz", 2), ("SOREN", 3)] {
            let found = try await store.people(named: text, bySurname: true, after: nil, limit: 9)?.found
            #expect(found?.map(\.number) == [PersonNumber(number)], "\(text)")
        }
        for text in ["STRASSE", "straße", "strass", "orsted 9"] {
            #expect(try await store.numbers(in: .places, matching: text)?.found == [0], "\(text)")
        }
    }
}
