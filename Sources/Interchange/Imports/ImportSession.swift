public import Discovery
internal import Foundation
public import Model
internal import Normaliser

/// An import under way: bytes go in as they arrive.
///
/// Rows are read, checked and written a thousand at a time. While a thousand are written, the next ones are read.
/// A row that is refused leaves the others alone. What was done stays done when the import is broken off; doing it again
/// changes nothing that is there already.
public struct ImportSession: Sendable {
    /// How many rows are done together.
    private static let batch = 1000

    private let live: Live?
    private let kind: ImportKind
    private let form: Fields.Form
    private let now: @Sendable () -> Timestamp
    private let reportsEvents: Bool
    private var reader: any RowReader
    private var normaliser: RowNormaliser?
    /// Where what the file does not have is deleted, and what it has; nil if nothing is.
    private var pruning: (live: Live, file: WholeFile, began: Timestamp)?
    private var stock = StockRows()
    /// The rows that were read last.
    private var batch = ImportBatch()
    /// Those before, while they are written.
    private var underWay: Task<ImportBatch.Outcome, any Error>?
    /// The first rows, which are shown to the normaliser before any is read.
    private var ahead: [ImportRow]?
    private var aheadBytes = 0
    /// How many bytes of texts these may have.
    private static let mostAheadBytes = 4 << 20
    private var report = ImportReport()
    /// How many rows lack a field that is required.
    private var lacking = 0
    /// Whether a price was refused for what it looks like.
    private var hasOtherPrices = false

    /// Begins an import into a live picture; without one rows are read and checked only.
    ///
    /// - Parameters:
    ///   - kind: what the file holds.
    ///   - format: how the file is written.
    ///   - live: what is changed.
    ///   - normalising: how rows are put right before they are read; nil to take them as they are.
    ///   - pruned: where what the file does not have is deleted at its end, if no row was refused, or only counted if
    ///     nothing is changed; nil to delete nothing.
    ///   - reportsEvents: whether friendships become events.
    ///   - now: the clock, which is read once for each thousand rows.
    public init(
        _ kind: ImportKind, _ format: ImportFormat, into live: Live?, normalising: Normalisation? = nil,
        pruning pruned: Live? = nil, reportsEvents: Bool = false, now: @escaping @Sendable () -> Timestamp
    ) {
        self.reportsEvents = reportsEvents
        normaliser = normalising?.normaliser
        if normaliser != nil {
            report.isNormalised = true
            ahead = []
        }
        pruning = pruned.map { (live: $0, file: WholeFile(), began: now()) }
        self.live = live
        self.kind = kind
        form = format == .csv ? .table : .record
        self.now = now
        reader = format.reader(of: kind)
    }

    /// Takes a further piece of the file.
    ///
    /// - Throws: when the file cannot be read at all, or the storage fails.
    public mutating func read(_ bytes: some Sequence<UInt8>) async throws {
        try await take(reader.read(bytes))
    }

    /// Takes the end of the file.
    ///
    /// - Returns: what the import did.
    public mutating func finish() async throws -> ImportReport {
        try await take(reader.finish())
        try await takeAhead()
        try await perform()
        try await settle()
        try await prune()
        report.notes += reader.notes + (normaliser?.notes ?? [])
        if normaliser == nil { report.notes += advice }
        return report
    }

    /// Deletes what the file does not have, if all of it was understood.
    private mutating func prune() async throws {
        guard let (pruned, file, began) = pruning else { return }
        report.pruned = 0
        guard report.refusedCount == 0 else {
            report.notes.append("nothing was pruned, for rows were refused")
            return
        }
        report.pruned = try await pruned.prune(file, before: began, isDry: live == nil, at: now)
    }

    /// What would be understood if it were put right.
    private var advice: [String] {
        var advice: [String] = []
        if [.products, .places, .stock].contains(kind), lacking > 0, lacking == report.rows {
            advice.append("every row lacks something: catalogues that others wrote are read with 'normalise'")
        }
        if hasOtherPrices { advice.append("prices with decimals or a currency are read with 'normalise'") }
        return advice
    }

    /// Ends an import that cannot go on; what was read of it is done first.
    ///
    /// - Returns: the reason, which says how far the import came.
    public mutating func end(because error: any Error) async -> any Error {
        // Should the storage fail here too, the rows that waited are not counted.
        try? await takeAhead()
        try? await perform()
        try? await settle()
        return BrokenImport(
            cause: error, done: report.rows - report.refusedCount, refused: report.refusedCount, isDry: live == nil)
    }

    private mutating func take(_ rows: [ImportRow]) async throws {
        guard ahead != nil else { return try await takeNow(rows) }
        ahead? += rows
        aheadBytes += rows.reduce(0) { $0 + $1.size }
        if ahead?.count ?? 0 >= Self.batch || aheadBytes > Self.mostAheadBytes { try await takeAhead() }
    }

    private mutating func takeAhead() async throws {
        guard let rows = ahead else { return }
        ahead = nil
        normaliser?.look(at: rows.compactMap { try? $0.members.get() })
        try await takeNow(rows)
    }

    private mutating func takeNow(_ rows: [ImportRow]) async throws {
        for row in rows {
            do throws(FormError) {
                switch try item(row) {
                case .ping(let report): batch.pings.append((row.number, report))
                case .write(let action): batch.writes.append((row.number, action))
                }
            } catch {
                batch.faults.append((row.number, error.errors))
                if error.errors.contains(where: { $0.code == .required }) { lacking += 1 }
                if error.errors.contains(where: { $0.pointer == "/price" && $0.code == .type }) {
                    hasOtherPrices = true
                }
            }
            if batch.pings.count + batch.writes.count == Self.batch { try await perform() }
        }
    }

    private mutating func item(_ row: ImportRow) throws(FormError) -> ImportItem {
        switch row.members {
        case .failure(let fault): throw .invalid([fault])
        case .success(var members):
            var remarks: [Remark] = []
            if let right = try normaliser?.normalised(members.filter { $0.value != .null }, row: row.number) {
                (members, remarks) = right
            }
            var fields = Fields(members, form: form)
            let item = try ImportItem(kind, &fields, reportsEvents: reportsEvents).joined(by: &stock)
            if case .write(let write) = item { pruning?.file.take(write) }
            if !remarks.isEmpty { report.remark(row: row.number, remarks) }
            if let doubt = item.doubtOfHours { report.remark(row: row.number, hours: doubt) }
            return item
        }
    }

    /// Begins to write what was read, once the rows before are written.
    private mutating func perform() async throws {
        try await settle()
        let rows = batch
        batch = ImportBatch()
        underWay = Task { [live, now] in try await rows.perform(on: live, at: now) }
    }

    /// Waits for the rows that are being written, and counts them.
    private mutating func settle() async throws {
        guard let task = underWay else { return }
        underWay = nil
        try await task.value.count(in: &report)
    }
}

/// An import that could not go on, and how far it came.
package struct BrokenImport: Error {
    package let cause: any Error
    package let done: Int
    package let refused: Int
    package let isDry: Bool

    /// How far it came, as a sentence.
    package var progress: String {
        "Before that \(done) rows were \(isDry ? "checked" : "done") and \(refused) refused."
    }
}
