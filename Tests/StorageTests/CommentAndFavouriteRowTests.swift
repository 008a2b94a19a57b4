import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Comments and favorites in the database file.
@Suite struct CommentAndFavouriteRowTests {
    private func place(_ number: PlaceNumber, _ id: String) throws -> Change {
        .catalogue(
            .place(Versioned(number: number, revision: 1, value: Place(id: try ID(id), kind: "topic", name: id))))
    }

    private func comment(_ number: CommentNumber, of author: PersonNumber) throws -> PlaceComment {
        PlaceComment(
            number: number, id: try ID("c\(number)"), place: 0, author: author,
            at: Timestamp(milliseconds: 1000 + Int64(number)))
    }

    @Test("Comments and favorites round-trip and are deleted with their subject") func roundTrip() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let now = Timestamp(milliseconds: 5000)
            var edited = try comment(1, of: 1)
            edited.editedAt = now
            edited.revision = 5000
            let product = Product(id: try ID("pump"), name: "Pump")
            try await store.commit([
                person(0, "ana"), person(1, "luis"), place(0, "sol"),
                .catalogue(
                    .product(Versioned(number: 0, revision: 1, value: product), made: Timestamp(milliseconds: 1))),
                .comments(.put(comment(0, of: 0), text: "of ana")),
                .comments(.put(comment(1, of: 1), text: "first")), .comments(.put(edited, text: "then")),
                .favourites(.added(person: 0, .people, other: 1, since: now)),
                .favourites(.added(person: 0, .products, other: 0, since: now)),
                .favourites(.added(person: 1, .places, other: 0, since: now)),
                .favourites(.added(person: 0, .places, other: 0, since: Timestamp(milliseconds: 6000))),
            ])
            try store.close()
            let again = try Store(folder: folder)
            func comments() throws -> [PlaceComment] {
                var all: [PlaceComment] = []
                try again.forEachComment { all.append($0) }
                return all
            }
            func favourites(_ kind: FavouriteKind) throws -> [String] {
                var all: [String] = []
                try again.forEachFavourite(kind) { all.append("\($0) of \($1) since \($2.milliseconds)") }
                return all
            }
            #expect(try comments() == [comment(0, of: 0), edited])
            #expect(try await again.texts(ofComments: [1, 0, 7]) == [0: "of ana", 1: "then"])
            #expect(try favourites(.people) == ["1 of 0 since 5000"])
            #expect(try favourites(.places) == ["0 of 0 since 6000", "0 of 1 since 5000"])
            #expect(try favourites(.products) == ["0 of 0 since 5000"])
            try await again.commit([.people(.deleted(1))])
            #expect(try comments().map(\.number) == [0] && favourites(.people).isEmpty)
            #expect(try favourites(.places) == ["0 of 0 since 6000"])
            try await again.commit([
                .favourites(.removed(person: 0, .places, other: 0)), .catalogue(.productDeleted(0)),
                .comments(.deleted(0)),
            ])
            #expect(try comments().isEmpty && favourites(.places).isEmpty && favourites(.products).isEmpty)
            try await again.commit([.comments(.put(comment(2, of: 0), text: "x")), .catalogue(.placeDeleted(0))])
            #expect(try comments().isEmpty)
            try again.close()
        }
    }

    @Test(
        "Deleted comments are gone from the files",
        arguments: [Change.comments(.deleted(0)), .catalogue(.placeDeleted(0)), .people(.deleted(0))])
    func erasure(deletion: Change) async throws {
        let marker = "an unmistakable sentence about zed"
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([
                person(0, "ana"), place(0, "sol"), .comments(.put(comment(0, of: 0), text: marker)),
            ])
            func holdsMarker() throws -> Bool {
                try ["cerca.sqlite", "cerca.sqlite-wal"].contains { name in
                    try Data(contentsOf: folder.appending(path: name)).range(of: Data(marker.utf8)) != nil
                }
            }
            #expect(try holdsMarker())
            try await store.commit([deletion])
            try await store.scrub()
            #expect(try !holdsMarker())
            try store.close()
        }
    }
}
