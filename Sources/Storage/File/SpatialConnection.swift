internal import CSpatiaLite
package import GRDB
internal import Model

/// Loads SpatiaLite's functions into GRDB connections.
package enum SpatialConnection {
    /// Adds SpatiaLite to a connection; its cache is freed when the connection closes.
    ///
    /// SQLite calls the destructor of a function's context on close, which is the only available hook.
    package static func prepare(_ db: Database) throws {
        guard let cache = spatialite_alloc_connection() else {
            throw StorageError.other("SpatiaLite has no free connection")
        }
        spatialite_init_ex(db.sqliteConnection, cache, 0)
        let code = sqlite3_create_function_v2(
            db.sqliteConnection, "cerca_spatialite_cache", 0, SQLITE_UTF8, cache,
            { context, _, _ in sqlite3_result_null(context) }, nil, nil,
            { cache in spatialite_cleanup_ex(cache) })
        guard code == SQLITE_OK else { throw StorageError.other("SpatiaLite's cache cannot be kept: code \(code)") }
    }
}
