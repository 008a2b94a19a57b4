internal import Algorithms
internal import Geo
public import Model

extension Live {
    /// How many entries are looked at in one reading.
    private static let entriesOfReading = 1_000
    /// How many deletions are handed to the writer together; each has a turn of its own.
    private static let deletionsAtOnce = 100
    /// How many products are taken off shelves together, some of them in each turn.
    private static let removalsAtOnce = 1_000

    /// Deletes what a whole file no longer has, or only counts it.
    ///
    /// What was made since `began`, or changes while this goes on, stays. An interrupted pruning goes on when it is asked for
    /// again.
    ///
    /// - Parameters:
    ///   - file: what the file has. Places go if they are of a kind that it has and belong to nobody, and stock if it
    ///     names the store.
    ///   - began: when reading the file began.
    ///   - isDry: whether it is only counted.
    ///   - now: the clock.
    /// - Returns: how many places, products and entries of stock went, or would go.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(places + products); the readings and turns in which it is done are short.
    public func prune(
        _ file: WholeFile, before began: Timestamp, isDry: Bool, at now: () -> Timestamp
    ) async throws -> Int {
        let (places, products, stock) = (
            self.places(beyond: file, before: began), self.products(beyond: file, before: began),
            self.stock(beyond: file)
        )
        guard !isDry else { return places.count + products.count + stock.count }
        return try await delete(places, at: now) + delete(products, at: now) + remove(stock, at: now)
    }

    private func places(beyond file: WholeFile, before began: Timestamp) -> [DeletePlace] {
        let end = read { $0.catalogue.placeIndex.nextNumber }
        return inStretches(of: Int(end)) { picture, numbers in
            numbers.compactMap { number in
                guard let record = picture.catalogue.placeIndex[PlaceNumber(number)]?.record,
                    record.value.created.map({ $0 < began }) ?? true, file.lacks(record.value)
                else { return nil }
                return DeletePlace(record.value.id, if: .isRevision([record.revision]))
            }
        }
    }

    private func products(beyond file: WholeFile, before began: Timestamp) -> [DeleteProduct] {
        let end = read { $0.catalogue.inventory.nextNumber }
        return inStretches(of: Int(end)) { picture, numbers in
            numbers.compactMap { number in
                guard let entry = picture.catalogue.inventory[ProductNumber(number)], entry.made < began,
                    file.lacks(entry.record.value)
                else { return nil }
                return DeleteProduct(entry.record.value.id, if: .isRevision([entry.record.revision]))
            }
        }
    }

    private func stock(beyond file: WholeFile) -> [RemoveStock] {
        var removals: [RemoveStock] = []
        for (store, products) in file.stores.sorted(by: { $0.key.text < $1.key.text }) {
            let count = read { $0.rows(ofStore: store).count }
            removals += inStretches(of: count) { picture, range -> [RemoveStock] in
                picture.rows(ofStore: store).dropFirst(range.lowerBound).prefix(range.count).compactMap { row in
                    guard let id = picture.catalogue.inventory[row.product]?.record.value.id, !products.contains(id)
                    else { return nil }
                    return RemoveStock(store: store, product: id)
                }
            }
        }
        return removals
    }

    /// What `body` finds in stretches of so many entries, each in a reading of its own.
    private func inStretches<Found>(of count: Int, _ body: (borrowing Picture, Range<Int>) -> [Found]) -> [Found] {
        stride(from: 0, to: count, by: Self.entriesOfReading).flatMap { first in
            read { picture in
                let range = first..<min(first + Self.entriesOfReading, count)
                Effort.count(3 * range.count)
                return body(picture, range)
            }
        }
    }

    private func delete(_ deletions: [some Deletion], at now: () -> Timestamp) async throws -> Int {
        var count = 0
        for batch in deletions.chunks(ofCount: Self.deletionsAtOnce) {
            let results = try await perform(Each(Array(batch)), by: .service, at: now())
            for (deletion, result) in zip(batch, results) {
                // What changed or went meanwhile is refused, and stays or is gone.
                guard case .success(let state) = result else { continue }
                count += 1
                if state == .begun { try await finish(deletion, at: now()) }
            }
        }
        return count
    }

    private func finish(_ deletion: some Deletion, at now: Timestamp) async throws {
        var rest = deletion
        rest.condition = .always
        do { _ = try await perform(rest, by: .service, at: now) } catch Refusal.unknown {}
    }

    private func remove(_ removals: [RemoveStock], at now: () -> Timestamp) async throws -> Int {
        var count = 0
        for batch in removals.chunks(ofCount: Self.removalsAtOnce) {
            let results = try await perform(Each(Array(batch)), by: .service, at: now())
            count += results.count(where: { if case .success = $0 { true } else { false } })
        }
        return count
    }
}

extension Picture {
    /// What a store has; nothing if there is no such store.
    fileprivate func rows(ofStore id: PlaceID) -> [StoreInventory.Row] {
        catalogue.placeIndex.number(ofStore: id).flatMap { catalogue.inventory.stock(of: $0)?.rows } ?? []
    }
}
