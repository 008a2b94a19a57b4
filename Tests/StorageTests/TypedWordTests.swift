import Model
import Storage
import TestSupport
import Testing

/// Search words that are not written the way documents have them.
@Suite struct TypedWordTests {
    @Test("Corrections of a word are one edit away") func misspelling() {
        for (typed, meant) in [
            ("zapatria", "zapateria"), ("zapateeria", "zapateria"), ("zapaetria", "zapateria"),
            ("zapatoria", "zapateria"), ("sneakr", "sneaker"), ("neaker", "sneaker"), ("newbalance", "new balance"),
            ("одбуви", "обдуви"),
        ] {
            #expect(Misspelling.corrections(of: typed).contains(meant), "\(typed)")
        }
        let word = "abcdefghijklmnopqrstuvwx"
        let corrections = Misspelling.corrections(of: word)
        #expect(corrections == Set(corrections).sorted() && !corrections.contains(word))

        #expect(corrections.count == 24 + 23 + 26 * 24 + 27 * 25 - 24)
        #expect(Misspelling.corrections(of: "rojo").isEmpty)
        #expect(Misspelling.corrections(of: word + "y").isEmpty)
    }

    @Test("Words are found by inflections, synonyms, and with one typo") func search() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let names = ["Zapatería Sol", "Zapato y bota", "Shoe palace", "Botas Luz", "Caja"]
            for (number, name) in names.enumerated() {
                let shop = Place(id: try ID("p\(number)"), kind: "store", name: name)
                try await store.commit([
                    .catalogue(.place(Versioned(number: PlaceNumber(number), revision: 1, value: shop)))
                ])
            }
            func found(_ text: String) async throws -> [PlaceNumber]? {
                try await store.numbers(in: .places, matching: text) { words in
                    words == ["zapatos"] || words == ["zapatos", "sol"]
                        ? [SoughtWords(words, or: [["shoe"], ["luz", "botas"]])] : words.map { SoughtWords([$0]) }
                }?.found
            }
            for (text, numbers) in [
                ("bota", [1, 3]), ("botas", [1, 3]), ("luces", [3]), ("cajas", [4]), ("zapatos", [1, 2, 3]),
                ("zapatos sol", [2, 3]), ("zapatria", [0]), ("zapatria sool", []), ("zapatria sol", [0]),
                ("palaca shoo", []), ("palaca shoee", [2]), ("aaaaaa zapatria", []),
                ("zapateria luz", []), ("cajja", [4]), ("caxa", []),
            ] as [(String, [PlaceNumber])] {
                #expect(try await found(text) == numbers, "\(text)")
            }
            #expect(try await store.numbers(in: .places, matching: "zapateria")?.tried == 0)
            #expect(try await store.numbers(in: .places, matching: "zapatria")?.tried ?? 0 > 400)
            #expect(try await store.numbers(in: .places, matching: "aaaaaa bbbbbb cccccc")?.tried ?? 0 < 900)
            #expect(try await found("-") == nil)
            try store.close()
        }
    }

    @Test func `a word that begins another is left out if that changes nothing`() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            for (number, name) in ["Zapatería Sol", "Botas Luz"].enumerated() {
                let shop = Place(id: try ID("p\(number)"), kind: "store", name: name)
                try await store.commit([
                    .catalogue(.place(Versioned(number: PlaceNumber(number), revision: 1, value: shop)))
                ])
            }
            for (text, words, numbers) in [
                ("zapateria zapa z", 1, [0]), ("z zapa zapateria sol so sol", 2, [0]), ("zapa bo", 2, []),
                // "Luz" is the singular of "luces", and does not begin with "luce".
                ("luces", 1, [1]), ("luce luces", 2, []),
            ] as [(String, Int, [PlaceNumber])] {
                let answer = try await store.numbers(in: .places, matching: text)
                #expect(answer?.words == words && answer?.found == numbers, "\(text)")
            }
            let words = (0...Store.mostWords).map { "w\(10 + $0)" }
            let (most, tooMany) = (words.dropLast().joined(separator: " "), words.joined(separator: " "))
            #expect(try await store.numbers(in: .places, matching: most)?.words == Store.mostWords)
            #expect(try await store.numbers(in: .places, matching: tooMany)?.words == nil)
            try store.close()
        }
    }
}
