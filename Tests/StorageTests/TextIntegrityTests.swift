import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Text indexes that do not have exactly the words of the documents.
@Suite struct TextIntegrityTests {
    private func withDocuments(_ body: (URL, URL) async throws -> Void) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let shops = try ["Zapatería Sol", "Casa", "Sol y Luna"].enumerated().map { number, name in
                Versioned(
                    number: Number(number), revision: 1,
                    value: Place(id: try ID("s\(number)"), kind: "store", name: name))
            }
            var pump = Product(id: try ID("pump"), name: "Pump")
            pump.colors = ["red", "blue"]
            var hidden = Person(id: try ID("eva"))
            hidden.name = "Eva"
            hidden.isSearchable = false
            try await store.commit(
                shops.map { .catalogue(.place($0)) } + [
                    .catalogue(
                        .product(Versioned(number: 0, revision: 1, value: pump), made: Timestamp(milliseconds: 1))),
                    .people(.put(Versioned(number: 0, revision: 1, value: hidden))), .catalogue(.placeDeleted(1)),
                ])
            try store.close()
            try await body(folder, folder.appending(path: Store.fileName))
        }
    }

    private func faults(_ file: URL) throws -> [String] { try DatabaseFile(file).integrity { _, _ in }.faults }

    @Test("A sound database has no faults") func sound() async throws {
        try await withDocuments { _, file in
            let found = try faults(file)
            #expect(found == [])
        }
    }

    @Test(
        "A damaged index is found, named, and rebuilt",
        arguments: [
            (
                "INSERT INTO places_text (places_text, rowid, name) VALUES ('delete', 2, 'Sol y Luna')",
                ["text index: places_text lacks 3 words of documents, first of 's2'"]
            ),
            (
                "INSERT INTO products_text (rowid, name) VALUES (0, 'Boot')",
                ["text index: products_text has 1 words too many, first of 'pump'"]
            ),
            (
                "INSERT INTO people_text (rowid, name) VALUES (0, 'Eva')",
                ["text index: people_text has 1 words too many, first of 'eva'"]
            ),
            (
                "INSERT INTO places_text (rowid, name) VALUES (77, 'Nobody')",
                ["text index: places_text has 1 words too many, first of row 77, which does not exist"]
            ),
            (
                "UPDATE places_text_data SET block = zeroblob(8) WHERE id > 10",
                ["text index: places_text"]
            ), ("DROP TABLE places_text", ["text index: places_text"]),
        ])
    func damagedIndex(sql: String, expected: [String]) async throws {
        try await withDocuments { folder, file in
            try await openFile(folder).write { db in try db.execute(sql: sql) }
            let found = try faults(file).filter { $0.hasPrefix("text index: ") }
            #expect(found.count == 1 && zip(found, expected).allSatisfy { $0.hasPrefix($1) }, "\(found)")
            #expect(found.first?.hasSuffix("'cerca check --rebuild-text' rebuilds it") ?? false)
            let store = try Store(folder: folder)
            try store.rebuildText()
            #expect(try await store.numbers(in: .places, matching: "sol")?.found == [0, 2])
            #expect(try await store.numbers(in: .products, matching: "red pump")?.found == [0])
            // Later writes keep the rebuilt index up to date.
            let casa = Versioned(
                number: 3, revision: 1, value: Place(id: try ID("c"), kind: "store", name: "Sol"))
            try await store.commit([.catalogue(.place(casa))])
            #expect(try await store.numbers(in: .places, matching: "sol")?.found == [0, 2, 3])
            try store.close()
            #expect(try faults(file) == [])
        }
    }
}
