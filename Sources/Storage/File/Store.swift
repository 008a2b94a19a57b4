internal import CoreMetrics
public import Foundation
package import GRDB
package import Geo
internal import Glibc
package import Meters
public import Model
internal import Synchronization

/// The database of one data folder: a SpatiaLite file, written by one connection and read by several.
///
/// The folder is held by `flock` as long as the store lives.
public final class Store: Sendable {
    /// The name of the file in the data folder.
    public static let fileName = "cerca.sqlite"

    let pool: DatabasePool
    /// How long a transaction that reads for a list goes on; then the list goes on in another.
    let patience: Duration
    /// Measures what readers and writers wait for.
    package let gauge: Geo.Gauge
    /// What is measured of the store, and of what stands on it.
    package let meters: Meters
    let writerMeters: WriterMeters
    /// After how many bytes another row of the log is begun.
    private let longestLogRow: Int
    private let lock: Mutex<FolderLock?>
    private let log = Mutex(Log())

    /// What is known of the logs without looking.
    private struct Log {
        /// The number of the last row of the ping log.
        var lastNumber: Int64 = 0
        /// How many pings are in the ping log.
        var waiting = 0
        /// How many folds are under way.
        var folds = 0
        /// When one last came to its end.
        var folded = ContinuousClock.now
        /// The pings that were deleted for good since the first of them began, with the number of the log row that one
        /// stored afterwards is in at least.
        var erased: [ErasedPing: Int64] = [:]
        /// Whether the write-ahead log may hold what was deleted for good: also after a crash, of which nothing is known.
        var holdsErased = true
        /// By index of text.
        var merges: [String: TextMerge] = [:]
    }

    /// Opens the database of a folder, making both when they are missing, and brings it to the newest schema.
    ///
    /// Pings that the last stop left in the log are folded first, and the stays that it left are written.
    ///
    /// - Parameters:
    ///   - folder: the data folder.
    ///   - announce: called with how many they are before they are folded, if there are any.
    /// - Throws: ``StorageError``: another process holds the folder, it cannot be written, or the file is damaged or newer.
    public convenience init(
        folder: URL, announcingFold announce: (_ waiting: Int) -> Void = { _ in }
    ) throws(StorageError) {
        try self.init(folder: folder, gauge: nil, announcingFold: announce)
    }

    /// The same with another time for which a transaction may read for a list, what measures it, and other rows of the log.
    package init(
        folder: URL, patience: Duration = .milliseconds(250), gauge: Geo.Gauge? = nil, longestLogRow: Int = 256 << 10,
        announcingFold announce: (_ waiting: Int) -> Void = { _ in }
    ) throws(StorageError) {
        self.patience = patience
        self.gauge = gauge ?? Geo.Gauge()
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
            // What a migration sorts may be more than there is memory.
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA temp_store = FILE") }
            try Schema.migrate(pool)
            // GRDB sets NORMAL for WAL, which may lose the last commits when the power fails.
            try pool.writeWithoutTransaction { db in
                try db.execute(
                    sql: "PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            }
        }
        try renewText()
        try foldAll(announce)
        try writeStays()
    }

    /// Makes the folder, for its owner only, if it is missing.
    static func makeFolder(_ folder: URL) throws(StorageError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .unreachable(path: folder.path, reason: error.localizedDescription) }
    }

    /// Makes the file, for its owner only; SQLite gives the files beside it the same mode.
    private static func makeFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // What cannot be opened is for SQLite to say.
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    /// How long a lock of another program is waited for, in seconds.
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

    /// Empties the write-ahead log into the file, closes all connections and lets the folder go.
    ///
    /// What is in the ping log stays there for the next start. Once closed it stays closed.
    public func close() throws(StorageError) {
        guard lock.withLock({ $0 != nil }) else { return }
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in
                // A task that was canceled while it wrote leaves the connection interrupted until a statement begins.
                try db.execute(sql: "SELECT 1")
                _ = try db.checkpoint(.truncate)
            }
            // The writer has to close last: only it may take the write-ahead log away.
            pool.invalidateReadOnlyConnections()
            try pool.close()
        }
        lock.withLock { $0 = nil }
    }

    /// Runs work in the writer's queue, after all that was scheduled before.
    func schedule(_ work: @escaping @Sendable (WriterConnection) -> Void) {
        pool.asyncWriteWithoutTransaction { db in work(WriterConnection(db)) }
    }

    /// A random secret, 32 bytes, that was made with the database and stays the same.
    public func secret(_ secret: Secret) throws(StorageError) -> [UInt8] {
        let bytes = try readNow { db in
            try Data.fetchOne(db, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [secret.rawValue])
        }
        guard let bytes else { throw .damaged("the secret \(secret.rawValue) is missing") }
        return [UInt8](bytes)
    }

    /// What a ``secret(_:)`` is for.
    public enum Secret: String, Sendable {
        /// Keys the order in which strangers are shown.
        case order
        /// Seals cursors.
        case cursor
        /// Displaces privacy zones.
        case zones
    }
}

extension Store {
    /// Runs work in one durable transaction, on the writer's queue.
    ///
    /// - Throws: ``StorageError`` when the work threw or could not be made durable; then nothing of it is there.
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
            if log.folds > 0 { for ping in transaction.erased { log.erased[ping] = transaction.firstLogNumber } }
        }
    }

    /// How many pings wait in the log to be folded.
    public var unfoldedCount: Int { log.withLock { $0.waiting } }

    /// How long ago a fold last came to its end, or the store was opened.
    package var sinceFold: Duration { log.withLock { .now - $0.folded } }

    /// Takes note that a fold came to its end.
    func noteFolded() { log.withLock { $0.folded = .now } }

    /// Takes note that pings are no longer in the log.
    func forgot(_ count: Int) { log.withLock { $0.waiting -= count } }

    /// Takes note that a fold begins: what is deleted from now on is remembered for it.
    func beginFold() { log.withLock { $0.folds += 1 } }

    /// Takes note that a fold is over.
    func endFold() {
        log.withLock { log in
            log.folds -= 1
            if log.folds == 0 { log.erased = [:] }
        }
    }

    /// Those of the pings that a fold read from the log which were not deleted since.
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

    /// Takes note that the write-ahead log may hold what was deleted for good.
    func noteErasure() { log.withLock { $0.holdsErased = true } }

    /// Takes what was deleted for good out of the indexes of text and out of the write-ahead log, some of it if that is much.
    ///
    /// As long as somebody reads what it holds the log cannot be emptied; the next call tries again.
    public func scrub() async throws(StorageError) {
        try await mergeText()
        if log.withLock({ $0.holdsErased }) { try await emptyLog() }
    }

    /// Empties the write-ahead log into the file if it is longer than so many bytes.
    ///
    /// - Returns: how long it is then: as long as before when somebody reads what it holds.
    public func keepLog(below limit: Int) async throws(StorageError) -> Int {
        guard logSize > limit else { return logSize }
        try await emptyLog()
        return logSize
    }

    /// The bytes of the write-ahead log.
    package var logSize: Int {
        let size = try? URL(fileURLWithPath: pool.path + "-wal").resourceValues(forKeys: [.fileSizeKey]).fileSize
        return size ?? 0
    }

    private func emptyLog() async throws(StorageError) {
        do {
            try await pool.writeWithoutTransaction { db in
                // Commits shall not wait for a reader here.
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
    /// Runs a query of any kind, for tests.
    package func inspect<Result>(_ body: (Database) throws -> Result) throws -> Result { try pool.read(body) }

    /// Runs something on the writer's connection, outside of transactions, for tests.
    package func inspectWriter<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try pool.writeWithoutTransaction(body)
    }
}
