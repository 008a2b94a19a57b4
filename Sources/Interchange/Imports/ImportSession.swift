public import Discovery
internal import Foundation
public import Model
internal import Normaliser
internal import Storage

/// A streaming import that receives a file in pieces.
///
/// Rows are read, checked and written in batches of 1,000. While one batch is written, the next is read. A refused row
/// does not affect the others. Completed batches remain if the import is aborted, and repeating the import does not
/// change them.
public struct ImportSession: Sendable {
    /// Number of rows in a batch.
    private static let batch = 1000

    private let engine: Engine?
    private let kind: ImportKind
    private let form: Fields.Form
    private let now: @Sendable () -> Timestamp
    private let reportsEvents: Bool
    private var reader: any RowReader
    private var normaliser: RowNormaliser?
    private var attributes: AttributeReader
    /// The service to prune and the entities in the file; nil without pruning.
    private var pruning: (engine: Engine, file: CompleteFile, began: Timestamp)?
    private var stock = StockRows()
    private var repeated = RepeatedIDs()
    /// The store whose places may be named by name or address; nil after they were read.
    private var places: Store?
    private var names: StoreNames?
    /// The rows read since the last batch.
    private var batch = ImportBatch()
    /// The batch that is being written.
    private var underWay: Task<ImportBatch.Outcome, any Error>?
    /// The first rows, which the normalizer inspects before any row is read.
    private var ahead: [ImportRow]?
    private var aheadBytes = 0
    /// Maximum size of the texts in these rows, in bytes.
    private static let mostAheadBytes = 4 << 20
    private var report = ImportReport()
    private var hasBegun = false
    /// The number of rows read so far.
    public private(set) var rows = 0
    /// The number of rows that lack a required field.
    private var lacking = 0
    /// The columns of the first rows of places that the normalizer read as fields.
    private var readColumns: Set<String> = []
    /// Whether a price was refused because it has decimals or a currency.
    private var hasOtherPrices = false

    /// Begins an import into a running service, or a dry run that only reads and checks rows.
    ///
    /// - Parameters:
    ///   - kind: the kind of entities in the file.
    ///   - format: the format of the file.
    ///   - engine: the service to change; nil for a dry run.
    ///   - normalising: normalizes rows before they are read; nil to read them unchanged.
    ///   - attributes: the further columns of products to keep; nil for none.
    ///   - pruned: the service whose entities missing from the file are deleted at the end if no row was refused, or
    ///     only counted in a dry run; nil to delete nothing.
    ///   - reportsEvents: whether friendships cause events.
    ///   - now: the clock, read once per batch.
    public init(
        _ kind: ImportKind, _ format: ImportFormat, into engine: Engine?, normalising: Normalisation? = nil,
        attributes: AttributeColumns? = nil, pruning pruned: Engine? = nil, reportsEvents: Bool = false,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.reportsEvents = reportsEvents
        normaliser = normalising?.normaliser
        places = normalising?.places
        if normaliser != nil {
            report.isNormalised = true
            ahead = []
        }
        // Without the normalizer a column without a field refuses the row.
        self.attributes = AttributeReader(
            attributes ?? AttributeColumns(), proposes: kind == .products && (engine == nil || normalising == nil))
        if engine == nil { report.columns = ColumnCounts() }
        pruning = pruned.map { (engine: $0, file: CompleteFile(), began: now()) }
        self.engine = engine
        self.kind = kind
        form = format == .csv ? .table : .record
        self.now = now
        reader = format.reader(of: kind)
    }

    /// Reads the next piece of the file.
    ///
    /// - Throws: an error if the file is unreadable as a whole, or an error of the storage.
    public mutating func read(_ bytes: some Sequence<UInt8>) async throws {
        if !hasBegun {
            hasBegun = true
            if bytes.starts(with: "PAR1".utf8) { throw FormError.parquet }
        }
        try await take(reader.read(bytes))
    }

    /// Handles the end of the file.
    ///
    /// - Returns: the result of the import.
    public mutating func finish() async throws -> ImportReport {
        try await take(reader.finish())
        try await takeAhead()
        try await perform()
        try await settle()
        try await prune()
        report.notes += report.missing + reader.notes + (normaliser?.notes ?? []) + attributes.notes + repeated.notes
        report.columns?.header = reader.header
        report.notes += advice
        return report
    }

    /// Deletes the entities missing from the file, if no row was refused.
    private mutating func prune() async throws {
        guard let (pruned, file, began) = pruning else { return }
        report.pruned = 0
        guard report.refusedCount == 0 else {
            report.notes.append("nothing was pruned because rows were refused")
            return
        }
        report.pruned = try await pruned.prune(file, before: began, isDry: engine == nil, at: now)
    }

    /// Advice to normalize, if that would make refused rows readable, or else the columns in which a name may be.
    private var advice: [String] {
        var advice: [String] = []
        guard normaliser == nil else {
            let unread = reader.header.filter { !readColumns.contains($0.column) }.map(\.name)
            guard kind == .places, lacking > 0, lacking == report.rows, !unread.isEmpty else { return [] }
            return ["every row lacks a required field; columns that match no field: \(unread.joined(separator: ", "))"]
        }
        if [.products, .places, .stock].contains(kind), lacking > 0, lacking == report.rows {
            advice.append("every row lacks a required field: use 'normalise' for catalogs in other formats")
        }
        if hasOtherPrices { advice.append("use 'normalise' for prices with decimals or a currency") }
        return advice
    }

    /// Ends an import that cannot continue, after writing the rows read so far.
    ///
    /// - Returns: the error with the progress of the import.
    public mutating func end(because error: any Error) async -> any Error {
        // If the storage fails here too, the pending rows are not counted.
        try? await takeAhead()
        try? await perform()
        try? await settle()
        return BrokenImport(
            cause: error, done: report.rows - report.refusedCount, refused: report.refusedCount, isDry: engine == nil)
    }

    private mutating func take(_ rows: [ImportRow]) async throws {
        self.rows += rows.count
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
        if let places {
            names = try await StoreNames(places)
            self.places = nil
        }
        for row in rows where !(normaliser?.passesOver(row) ?? false) {
            do throws(FormError) {
                switch try item(row) {
                case .ping(let report): batch.pings.append((row.number, report))
                case .write(let action): batch.writes.append((row.number, action))
                }
            } catch {
                batch.faults.append((row.number, error.errors))
                report.columns?.refuse(row: row.number, error.errors)
                if error.errors.contains(where: { $0.code == .required }) { lacking += 1 }
                if error.errors.contains(where: { $0.pointer == "/price" && $0.code == .type }) {
                    hasOtherPrices = true
                }
            }
            if batch.pings.count + batch.writes.count == Self.batch { try await perform() }
        }
    }

    private mutating func item(_ row: ImportRow) throws(FormError) -> ImportItem {
        let (members, changes) = try right(row)
        var remarks = changes
        if kind == .places, normaliser == nil, let fault = members.hemisphereFault { throw .invalid([fault]) }
        var fields = Fields(members, form: form)
        let item = try ImportItem(kind, &fields, reportsEvents: reportsEvents).joined(by: &stock)
        if case .write(.place(let put)) = item, put.write.value.coordinate == nil, put.write.value.area == nil {
            report.countWithoutPosition(members)
        }
        if case .write(let write) = item { pruning?.file.take(write) }
        if let doubt = repeated.doubt(item, row: row.number) {
            remarks.append(doubt)
            report.columns?.read([:], row: row.number, [doubt])
        }
        if let doubt = item.doubtOfHours {
            if doubt.isUnderstood {
                remarks.append(doubt.remark)
            } else {
                report.remark(row: row.number, hours: doubt.remark)
            }
            report.columns?.read([:], row: row.number, [doubt.remark])
        }
        if !remarks.isEmpty { report.remark(row: row.number, remarks) }
        return item
    }

    /// The members of a row under the names of fields, with remarks about their changes.
    private mutating func right(_ row: ImportRow) throws(FormError) -> (members: [String: JSON], remarks: [Remark]) {
        var members: [String: JSON]
        switch row.members {
        case .failure(let fault): throw .invalid([fault])
        case .success(let given): members = given
        }
        report.columns?.count(members)
        var remarks: [Remark] = []
        if let right = try normaliser?.normalised(
            members.filter({ $0.value != .null }), row: row.number, &attributes)
        {
            (members, remarks) = (right.members, right.remarks)
            if kind == .places, row.number <= Self.batch {
                readColumns.formUnion(right.fields.filter { !$0.value.hasPrefix(AttributeColumns.prefix) }.keys)
            }
            report.columns?.read(right.fields, row: row.number, remarks)
        } else {
            if report.columns != nil {
                let read = fields(of: members)
                report.columns?.read(read, row: row.number, [])
            }
            if kind == .products { members = try attributes.gathered(members) }
        }
        if case .text(let name)? = members["name"], name.wholeMatch(of: Patterns.spreadsheetError) != nil {
            let detail = "is '\(name)', an error of a spreadsheet"
            throw .invalid([FieldError(pointer: "/name", code: .format, detail: detail)])
        }
        if let names, case .text(let text)? = members["store"] {
            let id = try names.id(text)
            if id != text {
                members["store"] = .text(id)
                remarks.append(
                    Remark("store", .changed, "'\(text.shortened)' was read as '\(id)', the only such place"))
            }
        }
        return (members, remarks)
    }

    /// The field as which each column of a row is read that is not normalized.
    private func fields(of members: [String: JSON]) -> [String: String] {
        members.reduce(into: [:]) { fields, member in
            fields[member.key] =
                kind.field(of: member.key)
                ?? (kind == .products ? attributes.columns.attribute(of: member.key) : nil).map {
                    AttributeColumns.prefix + $0
                }
        }
    }

    /// Starts to write the current batch after the previous one is written.
    private mutating func perform() async throws {
        try await settle()
        let rows = batch
        batch = ImportBatch()
        underWay = Task { [engine, now] in try await rows.perform(on: engine, at: now) }
    }

    /// Waits for the batch that is being written and counts its rows.
    private mutating func settle() async throws {
        guard let task = underWay else { return }
        underWay = nil
        try await task.value.count(in: &report)
    }
}

extension FormError {
    /// The refusal of a file that other programs convert, with the command.
    fileprivate static let parquet = FormError(
        .invalidBody,
        detail: "The file is Parquet: convert it first with DuckDB, \"COPY (FROM 'IN') TO 'OUT.csv'\", and name nested "
            + "values, as in names.primary AS name.")
}

private enum Patterns {
    /// The error in a cell of a spreadsheet, such as `#N/A`, `#¡REF!` or `#NV`.
    static let spreadsheetError = Pattern(#/#(?:N\/[AD]|NV|[¡¿]?[A-ZÀ-Ý]+(?:\/0)?[!?])/#)
}
