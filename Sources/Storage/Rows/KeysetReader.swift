internal import Algorithms
internal import Foundation
internal import GRDB
public import Model

/// Keyset pagination over a table, which may be written between pages.
///
/// Each page is a separate transaction, so that a slow reader does not keep the write-ahead log from being truncated. A
/// row that exists throughout is returned exactly once.
public struct KeysetReader<Item: Sendable>: Sendable {
    private let store: Store
    private let sql: String
    private let bounds: [Int64]
    private let size: Int
    private let decode: @Sendable (Row) throws -> Item
    /// The key of the last row read.
    private var key: [Int64]
    private var isOver = false

    /// - Parameters:
    ///   - store: the store to read.
    ///   - sql: a query whose first columns are the key and its order; its parameters are a key to continue after, then
    ///     `bounds`, then a final `LIMIT ?`.
    ///   - key: a key before all rows.
    ///   - bounds: further arguments.
    ///   - size: the maximum number of rows of a page.
    ///   - decode: decodes a row.
    init(
        _ store: Store, _ sql: String, after key: [Int64], bounds: [Int64] = [], pagesOf size: Int,
        _ decode: @escaping @Sendable (Row) throws -> Item
    ) {
        self.store = store
        self.sql = sql
        self.bounds = bounds
        self.size = size
        self.decode = decode
        self.key = key
    }

    /// The next page, which is never empty; nil at the end.
    ///
    /// - Throws: ``StorageError``.
    public mutating func next() async throws(StorageError) -> [Item]? {
        guard !isOver else { return nil }
        let (columns, decode) = (key.count, decode)
        let rows = try await store.rows(sql, StatementArguments(key + bounds + [Int64(size)]), limit: size) { row in
            (key: (0..<columns).map { row[$0] as Int64 }, item: try decode(row))
        }
        isOver = rows.isLast
        guard let last = rows.items.last else { return nil }
        key = last.key
        return rows.items.map(\.item)
    }
}

/// A part of a query's rows, in order.
public struct Rows<Item: Sendable>: Sendable {
    /// The rows.
    public var items: [Item]
    /// Whether the query has no more rows; false if it may have more.
    public var isLast: Bool
}

extension Store {
    /// The number of items that one transaction looks up.
    private static let lookedUpAtOnce = 1_000

    /// Runs a synchronous read transaction.
    func readNow<Result>(_ body: (Database) throws -> Result) throws(StorageError) -> Result {
        try StorageError.wrap { try pool.read(body) }
    }

    /// Runs a short read transaction.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws(StorageError) -> Result {
        do { return try await pool.read(body) } catch { throw StorageError(error) }
    }

    /// Reads a result for each item, in order, in several short transactions.
    func read<Item: Sendable, Result: Sendable>(
        each items: [Item], _ body: @escaping @Sendable (Item, Database) throws -> Result
    ) async throws(StorageError) -> [Result] {
        var results: [Result] = []
        for some in items.chunks(ofCount: Self.lookedUpAtOnce) {
            results += try await read { db in try some.map { try body($0, db) } }
        }
        return results
    }

    /// The rows of a query with a limit, as many as one short transaction can read.
    func rows<Item: Sendable>(
        _ sql: String, _ arguments: StatementArguments, limit: Int,
        _ decode: @escaping @Sendable (Row) throws -> Item
    ) async throws(StorageError) -> Rows<Item> {
        let maxReadDuration = maxReadDuration
        return try await read { db in
            let end = ContinuousClock.now + maxReadDuration
            let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
            var items: [Item] = []
            while let row = try rows.next() {
                items.append(try decode(row))
                guard items.count < limit, ContinuousClock.now < end else {
                    return Rows(items: items, isLast: false)
                }
            }
            return Rows(items: items, isLast: true)
        }
    }
}
