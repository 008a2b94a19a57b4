internal import CSpatiaLite
internal import Foundation
internal import GRDB
internal import Model

/// The columns of a row, by their indexes.
protocol RowColumns {
    func storage(_ index: Int) -> DatabaseValue.Storage
    func isNull(_ index: Int) -> Bool
    /// The text in a column; empty for NULL.
    func text(_ index: Int) -> String
    /// Passes the bytes in a column to `body`, which are valid only there; nil for NULL.
    func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result) throws -> Result
}

extension Row: RowColumns {
    func storage(_ index: Int) -> DatabaseValue.Storage { (self[index] as DatabaseValue).storage }

    func isNull(_ index: Int) -> Bool { hasNull(atIndex: index) }

    func text(_ index: Int) -> String { self[index] as String? ?? "" }

    func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result) throws -> Result {
        try withUnsafeData(atIndex: index) { data in
            guard let data else { return try body(nil) }
            return try data.withUnsafeBytes(body)
        }
    }
}

/// The columns of a statement's current row.
///
/// A `Row` of GRDB makes a table of its columns' names, which took a third of the time of a late ping.
struct StatementColumns: RowColumns {
    let statement: SQLiteStatement

    func storage(_ index: Int) -> DatabaseValue.Storage {
        let column = Int32(index)
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .int64(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: return .string(text(index))
        default: return .blob(bytes(index).map { Data($0) } ?? Data())
        }
    }

    func isNull(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL }

    func text(_ index: Int) -> String {
        guard let text = sqlite3_column_text(statement, Int32(index)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(index)))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result) throws -> Result {
        try body(isNull(index) ? nil : bytes(index) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private func bytes(_ index: Int) -> UnsafeRawBufferPointer? {
        sqlite3_column_blob(statement, Int32(index)).map {
            UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_column_bytes(statement, Int32(index))))
        }
    }
}

extension RowColumns {
    /// An integer in a column that fits the type.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` for any other value.
    func integer<Integer: FixedWidthInteger>(_ index: Int) throws(StorageError) -> Integer {
        guard case .int64(let value) = storage(index), let integer = Integer(exactly: value) else {
            throw damage(index)
        }
        return integer
    }

    /// The number of an entity.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` for any other value.
    func integer<Thing>(_ index: Int) throws(StorageError) -> Number<Thing> { Number(rawValue: try integer(index)) }

    /// A time within the years 1 to 9999.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` for any other value.
    func timestamp(_ index: Int) throws(StorageError) -> Timestamp {
        let milliseconds: Int64 = try integer(index)
        guard (-62_135_596_800_000..<253_402_300_800_000).contains(milliseconds) else {
            throw .damaged("\(milliseconds) ms in column \(index + 1)")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    /// A duration of at most a thousand years, in milliseconds; nil for NULL.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` for any other value.
    func duration(_ index: Int) throws(StorageError) -> Duration? {
        guard !isNull(index) else { return nil }
        let milliseconds: Int64 = try integer(index)
        guard (0...31_600_000_000_000).contains(milliseconds) else {
            throw .damaged("\(milliseconds) ms in column \(index + 1)")
        }
        return .milliseconds(milliseconds)
    }

    /// A finite number that a `Float` can represent; nil for NULL.
    ///
    /// - Throws: ``StorageError/damaged(_:)`` for any other value.
    func number(_ index: Int) throws(StorageError) -> Float? {
        switch storage(index) {
        case .null: return nil
        case .double(let value) where Float(value).isFinite: return Float(value)
        case .int64(let value): return Float(value)
        default: throw damage(index)
        }
    }

    private func damage(_ index: Int) -> StorageError {
        .damaged("\(storage(index).value?.databaseValue ?? .null) in column \(index + 1)")
    }
}
