internal import CSpatiaLite
package import GRDB

/// The parameters of a statement, bound in order without intermediate copies.
///
/// GRDB takes an array of boxed values, whose creation was a third of the cost of compacting a position.
package struct Parameters: ~Copyable {
    private let statement: SQLiteStatement
    private var position: Int32 = 0
    /// The first error code of SQLite while binding.
    fileprivate private(set) var code = SQLITE_OK

    fileprivate init(of statement: SQLiteStatement) {
        self.statement = statement
        sqlite3_clear_bindings(statement)
    }

    private mutating func bind(_ binding: (_ statement: SQLiteStatement, _ position: Int32) -> Int32) {
        position += 1
        let said = binding(statement, position)
        if code == SQLITE_OK { code = said }
    }

    package mutating func append(_ number: some BinaryInteger) {
        bind { sqlite3_bind_int64($0, $1, Int64(truncatingIfNeeded: number)) }
    }

    package mutating func append(_ number: Int64?) {
        if let number { append(number) } else { position += 1 }
    }

    package mutating func append(_ number: Float?) {
        if let number { bind { sqlite3_bind_double($0, $1, Double(number)) } } else { position += 1 }
    }

    package mutating func append(_ isTrue: Bool) { append(isTrue ? 1 : 0) }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            let copy = Self.copy(UnsafeRawBufferPointer(bytes))
            bind {
                sqlite3_bind_text($0, $1, copy.assumingMemoryBound(to: CChar.self), Int32(bytes.count), Self.free)
            }
        }
    }

    package mutating func append(_ bytes: [UInt8]?) {
        guard let bytes else {
            position += 1
            return
        }
        let copy = bytes.withUnsafeBytes(Self.copy)
        bind { sqlite3_bind_blob($0, $1, copy, Int32(bytes.count), Self.free) }
    }

    /// A copy that SQLite frees.
    private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        if let start = bytes.baseAddress { copy.copyMemory(from: start, byteCount: bytes.count) }
        return copy
    }

    private static let free: @convention(c) (UnsafeMutableRawPointer?) -> Void = { $0?.deallocate() }
}

extension Statement {
    /// Runs the statement until it returns a row or is done.
    ///
    /// - Returns: whether it returned a row.
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func run(in db: Database, _ append: (inout Parameters) -> Void) throws -> Bool {
        sqlite3_reset(sqliteStatement)
        var parameters = Parameters(of: sqliteStatement)
        append(&parameters)
        let code = parameters.code == SQLITE_OK ? sqlite3_step(sqliteStatement) : parameters.code
        defer { sqlite3_reset(sqliteStatement) }
        return try isRow(code, db)
    }

    /// Runs the statement and passes each row to `body`, as long as it returns true.
    ///
    /// - Throws: `DatabaseError`; rethrows errors of `body`.
    func forEachRow(
        in db: Database, _ append: (inout Parameters) -> Void, _ body: (StatementColumns) throws -> Bool
    ) throws {
        sqlite3_reset(sqliteStatement)
        var parameters = Parameters(of: sqliteStatement)
        append(&parameters)
        defer { sqlite3_reset(sqliteStatement) }
        var code = parameters.code == SQLITE_OK ? sqlite3_step(sqliteStatement) : parameters.code
        while try isRow(code, db), try body(StatementColumns(statement: sqliteStatement)) {
            code = sqlite3_step(sqliteStatement)
        }
    }

    private func isRow(_ code: Int32, _ db: Database) throws -> Bool {
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: sql)
        }
        return code == SQLITE_ROW
    }
}
