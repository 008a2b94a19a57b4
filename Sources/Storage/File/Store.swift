internal import CoreMetrics
public import Foundation
package import GRDB
package import Geo
internal import Glibc
package import Meters
public import Model
internal import Synchronization

/// The database of a data folder: a SpatiaLite file with one writer connection and several readers.
///
/// The folder is locked by `flock` for the lifetime of the store.
public final class Store: Sendable {
    /// The name of the file in the data folder.
    public static let fileName = "cerca.sqlite"

    let pool: DatabasePool
    /// The maximum duration of a read transaction for a list; the list then continues in another one.
    let maxReadDuration: Duration
    /// Records the steps of work that readers and the writer wait for.
    package let monitor: WorkMonitor
    /// The metrics of the store and of the layers above it.
    package let meters: Meters
    let writerMeters: WriterMeters
    /// The size in bytes after which a new row of the log is started.
    private let longestLogRow: Int
    private let lock: Mutex<FolderLock?>
    private let log = Mutex(Log())

    /// Cached knowledge about the logs.
    private struct Log {
        /// The number of the last row of the ping log.
        var lastNumber: Int64 = 0
        /// The number of pings in the ping log.
        var waiting = 0
        /// The number of compactions in progress.
        var compactions = 0
        /// When a compaction last finished.
        var compacted = ContinuousClock.now
        /// The pings deleted since the first of these compactions began, each with the smallest row number that a ping
        /// stored again can have.
        var erased: [ErasedPing: Int64] = [:]
        /// Whether the write-ahead log may hold deleted data; true at first, because a crash may have left some.
        var holdsErased = true
        var merges: [String: TextMerge] = [:]
    }

    /// Opens the database of a folder, creating both if they are missing, and migrates it to the newest schema.
    ///
    /// Pings left in the log are compacted first, and stays left by the last stop are written.
    ///
    /// - Parameters:
    ///   - folder: the data folder.
    ///   - announce: called with the number of pings before they are compacted, if there are any.
    /// - Throws: ``StorageError``: another process holds the folder, it cannot be written, or the file is damaged or
    ///   newer.
    public convenience init(
        folder: URL, announcingCompaction announce: (_ waiting: Int) -> Void = { _ in }
    ) throws(StorageError) {
        try self.init(folder: folder, monitor: nil, announcingCompaction: announce)
    }

    /// Opens the database with another read limit, work monitor and row size of the log.
    package init(
        folder: URL, maxReadDuration: Duration = .milliseconds(250), monitor: WorkMonitor? = nil,
        longestLogRow: Int = 256 << 10,
        announcingCompaction announce: (_ waiting: Int) -> Void = { _ in }
    ) throws(StorageError) {
        self.maxReadDuration = maxReadDuration
        self.monitor = monitor ?? WorkMonitor()
        meters = Meters()
        writerMeters = WriterMeters(meters)
        self.longestLogRow = longestLogRow
        try Self.makeFolder(folder)
        lock = Mutex(try FolderLock(folder: folder))
        Self.makeFile(folder.appending(path: Self.fileName).path)
        pool = try StorageError.wrap {
            try DatabasePool(
                path: folder.appending(path: Self.fileName).path, configuration: Self.configuration)
        }
        try StorageError.wrap { [pool] in
            // A migration may sort more data than fits in memory.
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA temp_store = FILE") }
            try Schema.migrate(pool)
            // GRDB sets NORMAL for WAL, which may lose the last commits in a power failure.
            try pool.writeWithoutTransaction { db in
                try db.execute(
                    sql: "PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            }
        }
        try renewText()
        try compactAll(announce)
        try writeStays()
    }

    /// Creates the folder, accessible only to its owner, if it is missing.
    static func makeFolder(_ folder: URL) throws(StorageError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .unreachable(path: folder.path, reason: error.localizedDescription) }
    }

    /// Creates the file, accessible only to its owner; SQLite gives the files beside it the same mode.
    private static func makeFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // If the file cannot be opened, SQLite reports the error.
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    /// How long to wait for another program's lock, in seconds.
    private static let lockPatience = 5

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "cerca"
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(TimeInterval(lockPatience))
        configuration.prepareDatabase { db in
            try SpatialConnection.prepare(db)
            db.add(tokenizer: WordTokenizer.self)
            try db.execute(sql: "PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Checkpoints the write-ahead log, closes all connections and releases the folder.
    ///
    /// The ping log remains for the next start. A closed store cannot be reopened.
    public func close() throws(StorageError) {
        guard lock.withLock({ $0 != nil }) else { return }
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in
                // A task canceled during a write leaves the connection interrupted until a statement begins.
                try db.execute(sql: "SELECT 1")
                _ = try db.checkpoint(.truncate)
            }
            // The writer must close last, because only it can delete the write-ahead log.
            pool.invalidateReadOnlyConnections()
            try pool.close()
        }
        lock.withLock { $0 = nil }
    }

    /// Runs work on the writer's queue, after all work scheduled before.
    func schedule(_ work: @escaping @Sendable (WriterConnection) -> Void) {
        pool.asyncWriteWithoutTransaction { db in work(WriterConnection(db)) }
    }

    /// A random secret of 32 bytes, created with the database and constant.
    public func secret(_ secret: Secret) throws(StorageError) -> [UInt8] {
        let bytes = try readNow { db in
            try Data.fetchOne(db, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [secret.rawValue])
        }
        guard let bytes else { throw .damaged("the secret \(secret.rawValue) is missing") }
        return [UInt8](bytes)
    }

    /// The purpose of a ``secret(_:)``.
    public enum Secret: String, Sendable {
        /// The key of the order in which strangers are shown.
        case order
        /// The key that seals cursors.
        case cursor
        /// The key that displaces privacy zones.
        case zones
    }
}

extension Store {
    /// Runs work in one durable transaction, on the writer's queue.
    ///
    /// - Throws: ``StorageError`` if the work threw or could not be made durable; then it has no effect.
    func commit(on connection: WriterConnection, _ work: (Transaction) throws -> Void) throws(StorageError) {
        let transaction = Transaction(
            connection.db, logNumber: log.withLock { $0.lastNumber } + 1, longestRow: longestLogRow)
        let clock = ContinuousClock()
        var done = clock.now
        try StorageError.wrap {
            try connection.db.inTransaction(.immediate) {
                try work(transaction)
                try transaction.finish()
                done = clock.now
                return .commit
            }
        }
        writerMeters.syncSeconds.record(clock.now - done)
        log.withLock { log in
            log.lastNumber = transaction.logNumber
            log.waiting += transaction.logGrowth
            if transaction.erases { log.holdsErased = true }
            if log.compactions > 0 { for ping in transaction.erased { log.erased[ping] = transaction.firstLogNumber } }
        }
    }

    /// The number of pings in the log that are not compacted.
    public var uncompactedCount: Int { log.withLock { $0.waiting } }

    /// The time since a compaction last finished or the store was opened.
    package var sinceCompaction: Duration { log.withLock { .now - $0.compacted } }

    func noteCompacted() { log.withLock { $0.compacted = .now } }

    /// Records that pings were removed from the log.
    func forgot(_ count: Int) { log.withLock { $0.waiting -= count } }

    /// Records the start of a compaction; deletions from now on are remembered for it.
    func beginCompaction() { log.withLock { $0.compactions += 1 } }

    func endCompaction() {
        log.withLock { log in
            log.compactions -= 1
            if log.compactions == 0 { log.erased = [:] }
        }
    }

    /// The pings that a compaction read from the log and that were not deleted since.
    ///
    /// - Complexity: O(`pings`.count) if anything was deleted, else O(1).
    func standing(_ pings: ArraySlice<LoggedPing>) -> ArraySlice<LoggedPing> {
        let erased = log.withLock { $0.erased }
        guard !erased.isEmpty else { return pings }
        return pings.filter { logged in
            erased[ErasedPing(person: logged.ping.person, key: logged.ping.key)].map { logged.logNumber >= $0 } ?? true
        }[...]
    }

    var merges: [String: TextMerge] {
        get { log.withLock { $0.merges } }
        set { log.withLock { $0.merges = newValue } }
    }

    /// Records that the write-ahead log may hold deleted data.
    func noteErasure() { log.withLock { $0.holdsErased = true } }

    /// Removes deleted data from the text indexes and from the write-ahead log, in part if there is much.
    ///
    /// The log cannot be truncated while a reader uses it; the next call tries again.
    public func scrub() async throws(StorageError) {
        try await mergeText()
        if log.withLock({ $0.holdsErased }) { try await resetWAL() }
    }

    /// Truncates the write-ahead log if it is longer than `limit` bytes.
    ///
    /// - Returns: the new length, unchanged if a reader uses the log.
    public func truncateWAL(above limit: Int) async throws(StorageError) -> Int {
        guard walSize > limit else { return walSize }
        try await resetWAL()
        return walSize
    }

    /// The bytes of the write-ahead log.
    package var walSize: Int {
        let size = try? URL(fileURLWithPath: pool.path + "-wal").resourceValues(forKeys: [.fileSizeKey]).fileSize
        return size ?? 0
    }

    private func resetWAL() async throws(StorageError) {
        do {
            try await pool.writeWithoutTransaction { db in
                // Commits must not wait for a reader here.
                try db.execute(sql: "PRAGMA busy_timeout = 0")
                let isBusy = try Bool.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? true
                try db.execute(sql: "PRAGMA busy_timeout = \(Self.lockPatience * 1000)")
                if !isBusy { self.log.withLock { $0.holdsErased = false } }
            }
        } catch { throw StorageError(error) }
    }
}

/// The writer's connection, on its own queue.
struct WriterConnection {
    let db: Database

    init(_ db: Database) { self.db = db }
}

extension Store {
    /// Runs an arbitrary query, for tests.
    package func inspect<Result>(_ body: (Database) throws -> Result) throws -> Result { try pool.read(body) }

    /// Runs work on the writer's connection, outside of transactions, for tests.
    package func inspectWriter<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try pool.writeWithoutTransaction(body)
    }
}
