import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// The indexes of places agree with their table after any writes, in commits of any size.
@Suite struct IndexLawTests {
    @Test("The indexes of places agree with their table", arguments: RandomCases.seeds(0..<20))
    func agreement(seed: UInt64) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var course = Course(seed: seed)
            for step in 0..<40 {
                let place: Comment = "seed \(seed), step \(step)"
                try await course.advance(store)
                var stored: [PlaceNumber: Place] = [:]
                try store.forEachPlace { stored[$0.number] = $0.value }
                #expect(stored == course.places, place)
                for word in Course.words {
                    let expected = course.numbers(of: word)
                    // For a word without matches the search tries other words.
                    guard !expected.isEmpty else { continue }
                    #expect(try await store.numbers(in: .places, matching: word)?.found == expected, place)
                }
                guard step % 8 == 7 else { continue }
                let check = try DatabaseFile(folder.appending(path: Store.fileName)).integrity { _, _ in }
                #expect(check.faults == [], place)
            }
            try store.close()
        }
    }
}

/// A few places that undergo random changes.
private struct Course {
    static let words = ["luna", "sol", "zapatos", "paella"]

    private var random: SeededGenerator
    /// The expected places.
    private(set) var places: [PlaceNumber: Place] = [:]
    private var revision: Int64 = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Returns the numbers of the places with a word in their names, in order.
    func numbers(of word: String) -> [PlaceNumber] {
        places.filter { $0.value.name.split(separator: " ").contains(word[...]) }.keys.sorted()
    }

    /// Writes some changes, in one commit or in several.
    ///
    /// Now and then one of them is refused. Then the others are written again, one at a time.
    mutating func advance(_ store: Store) async throws {
        var changes: [Change] = []
        for _ in 0..<random.integer(1...20) { changes.append(try change()) }
        let together = random.pick([1, 3, 1000])
        if random.chance(0.15) {
            // The product does not exist.
            let refused = Change.catalogue(.stock(store: 0, product: 7, price: nil, sizes: []))
            changes.insert(refused, at: random.integer(0...changes.count))
            let all = changes
            await #expect(throws: StorageError.self) { try await store.commit(all, together: together) }
        } else {
            try await store.commit(changes, together: together)
        }
        if random.chance(0.2) { try await store.mergeText(steps: 1) }
    }

    /// Puts, renames, moves, or deletes one of a few places, so that a commit often changes a place twice.
    private mutating func change() throws -> Change {
        let index = random.integer(0...11)
        let number = PlaceNumber(index)
        if places[number] != nil, random.chance(0.3) {
            places[number] = nil
            return .catalogue(.placeDeleted(number))
        }
        var place = Place(id: try ID("s\(index)"), kind: "store", name: "")
        if let known = places[number] { place = known }
        let isMoved = random.chance(0.5)
        if isMoved { place.coordinate = random.chance(0.2) ? nil : random.place() }
        if !isMoved || random.chance(0.5) {
            place.name = "\(random.pick(Self.words)) \(random.pick(Self.words))"
            place.address = random.pick([nil, "Calle Mayor 3"])
            place.category = random.pick([nil, "shoes"])
            place.tags = random.pick([[], ["new"], ["hand made", "sport"]])
        }
        places[number] = place
        revision += 1
        return .catalogue(.place(Versioned(number: number, revision: revision, value: place)))
    }
}
