internal import Algorithms
internal import Geo
public import Model

extension Engine {
    /// Number of entries examined in one read.
    private static let entriesOfReading = 1_000
    /// Number of deletions submitted together; each is a writer turn of its own.
    private static let deletionsAtOnce = 100
    /// Number of stock removals submitted together, several in each turn.
    private static let removalsAtOnce = 1_000

    /// Deletes entities that a complete import file no longer contains, or only counts them.
    ///
    /// Entities created since `began`, or changed in the meantime, stay. An interrupted run continues when it is
    /// requested again.
    ///
    /// - Parameters:
    ///   - file: the contents of the file. Places are deleted if the file has their kind and they have no owner, stock
    ///     if the file names the store.
    ///   - began: when reading the file began.
    ///   - isDry: whether to count only.
    ///   - now: the clock.
    /// - Returns: the number of places, products and stock items deleted or counted.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(places + products), in short reads and writer turns.
    public func prune(
        _ file: CompleteFile, before began: Timestamp, isDry: Bool, at now: () -> Timestamp
    ) async throws -> Int {
        let (places, products, stock) = (
            self.places(beyond: file, before: began), self.products(beyond: file, before: began),
            self.stock(beyond: file)
        )
        guard !isDry else { return places.count + products.count + stock.count }
        return try await delete(places, at: now) + delete(products, at: now) + remove(stock, at: now)
    }

    private func places(beyond file: CompleteFile, before began: Timestamp) -> [DeletePlace] {
        let end = read { $0.catalogue.placeIndex.nextNumber }
        return inStretches(of: Int(end)) { state, numbers in
            numbers.compactMap { number in
                guard let record = state.catalogue.placeIndex[PlaceNumber(number)]?.record,
                    record.value.created.map({ $0 < began }) ?? true, file.lacks(record.value)
                else { return nil }
                return DeletePlace(record.value.id, if: .isRevision([record.revision]))
            }
        }
    }

    private func products(beyond file: CompleteFile, before began: Timestamp) -> [DeleteProduct] {
        let end = read { $0.catalogue.inventory.nextNumber }
        return inStretches(of: Int(end)) { state, numbers in
            numbers.compactMap { number in
                guard let entry = state.catalogue.inventory[ProductNumber(number)], entry.made < began,
                    file.lacks(entry.record.value)
                else { return nil }
                return DeleteProduct(entry.record.value.id, if: .isRevision([entry.record.revision]))
            }
        }
    }

    private func stock(beyond file: CompleteFile) -> [RemoveStock] {
        var removals: [RemoveStock] = []
        for (store, products) in file.stores.sorted(by: { $0.key.text < $1.key.text }) {
            let count = read { $0.rows(ofStore: store).count }
            removals += inStretches(of: count) { state, range -> [RemoveStock] in
                state.rows(ofStore: store).dropFirst(range.lowerBound).prefix(range.count).compactMap { row in
                    guard let id = state.catalogue.inventory[row.product]?.record.value.id, !products.contains(id)
                    else { return nil }
                    return RemoveStock(store: store, product: id)
                }
            }
        }
        return removals
    }

    /// Collects the results of `body` over ranges of entries, each in a read of its own.
    private func inStretches<Found>(of count: Int, _ body: (borrowing LiveState, Range<Int>) -> [Found]) -> [Found] {
        stride(from: 0, to: count, by: Self.entriesOfReading).flatMap { first in
            read { state in
                let range = first..<min(first + Self.entriesOfReading, count)
                WorkBudget.count(3 * range.count)
                return body(state, range)
            }
        }
    }

    private func delete(_ deletions: [some Deletion], at now: () -> Timestamp) async throws -> Int {
        var count = 0
        for batch in deletions.chunks(ofCount: Self.deletionsAtOnce) {
            let results = try await perform(Batch(Array(batch)), by: .service, at: now())
            for (deletion, result) in zip(batch, results) {
                // Entities changed or deleted in the meantime are refused, and stay or are gone.
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
            let results = try await perform(Batch(Array(batch)), by: .service, at: now())
            count += results.count(where: { if case .success = $0 { true } else { false } })
        }
        return count
    }
}

extension LiveState {
    /// A store's stock; empty if the store does not exist.
    fileprivate func rows(ofStore id: PlaceID) -> [StoreInventory.Row] {
        catalogue.placeIndex.number(ofStore: id).flatMap { catalogue.inventory.stock(of: $0)?.rows } ?? []
    }
}
