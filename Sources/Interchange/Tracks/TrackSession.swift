public import Discovery
internal import Geo
public import Model
internal import Storage

/// A streaming import of one person's tracks that receives a file in pieces and judges positions like live pings.
///
/// Positions are judged in batches of 1,000. A refused position does not affect the others. A file that becomes
/// unreadable is imported up to that point, which the report contains. Stored positions remain stored; importing the
/// same file again finds duplicates and stores nothing.
public struct TrackSession: Sendable {
    /// Number of positions in a batch.
    private static let batch = 1000
    /// Number of refused positions after which reading ends, unless a service imports.
    private static let mostRefused = 10_000
    /// Work units of reading: bytes per unit, units per entry, and additional units per refused entry.
    private static let (bytesOfStep, stepsOfEntry, stepsOfRefusal) = (2, 20, 100)
    /// Maximum number of pings in the log before the import compacts it, if nothing else does.
    private static let mostWaiting = 100_000

    private let engine: Engine?
    private let caller: Caller
    private let received: Timestamp
    private let now: @Sendable () -> Timestamp
    private let isAlone: Bool
    private var reader: any TrackReader
    private var checks: TrackChecks
    private var waiting: [PingReport] = []
    private var items: [TrackItem] = []
    private var report: TrackReport

    /// Begins an import into a running service, or a dry run that only reads and checks positions.
    ///
    /// - Parameters:
    ///   - person: the person whose tracks are imported.
    ///   - device: the device of positions that name none, at most 255 bytes.
    ///   - format: the format of the file; nil to detect it.
    ///   - engine: the service to change; nil for a dry run.
    ///   - received: when the file arrived, by which times 1024 weeks ago are doubted (``WeekRollover``).
    ///   - isAlone: whether only this import keeps the store's log short.
    ///   - caller: the caller on whose behalf the import runs.
    ///   - now: the clock, read once per batch.
    /// - Throws: ``Refusal/unknown(_:_:)`` for an unknown person.
    public init(
        person: PersonID, device: String, format: TrackFormat?, into engine: Engine?, received: Timestamp,
        isAlone: Bool = false, by caller: Caller, now: @escaping @Sendable () -> Timestamp
    ) throws {
        _ = try engine?.number(of: person)
        self.engine = engine
        self.received = received
        self.isAlone = isAlone
        self.caller = caller
        self.now = now
        reader = format?.reader ?? TrackDetector()
        checks = TrackChecks(person: person, device: device)
        report = TrackReport(format: format)
    }

    /// The number of bytes read so far.
    private var size = 0

    /// Whether the rest of the file will not be read.
    public var isBroken: Bool { report.broken != nil }

    /// Reads the next piece of the file.
    ///
    /// - Throws: an error of the storage.
    public mutating func read(_ bytes: [UInt8]) async throws {
        guard !isBroken else { return }
        let passed = reader.others
        do throws(BrokenTrack) { try reader.read(bytes, into: &items) } catch { report.broken = error }
        WorkBudget.count(bytes: size..<size + bytes.count, ofStep: Self.bytesOfStep)
        WorkBudget.count(Self.stepsOfEntry * (items.count + reader.others - passed))
        size += bytes.count
        try await take()
    }

    /// Handles the end of the file.
    ///
    /// - Returns: the result of the import.
    /// - Throws: an error of the storage, or ``FormError`` if the file has no positions that can be read.
    public mutating func finish() async throws -> TrackReport {
        if !isBroken {
            do throws(BrokenTrack) { try reader.finish(into: &items) } catch { report.broken = error }
        }
        try await take()
        try await perform()
        if let broken = report.broken, report.rows == 0 {
            throw FormError(.invalidBody, detail: broken.sentence)
        }
        if report.rows == 0 {
            throw FormError(.invalidBody, detail: "The file has no positions in a known format.")
        }
        report.format = report.format ?? (reader as? TrackDetector)?.format
        conclude()
        return report
    }

    /// Ends an import that cannot continue, after storing the positions read so far.
    ///
    /// - Returns: the error with the progress of the import.
    public mutating func end(because error: any Error) async -> any Error {
        // If the storage fails here too, the pending positions are not counted.
        try? await perform()
        return BrokenImport(
            cause: error, done: report.rows - report.refusedCount, refused: report.refusedCount, isDry: engine == nil)
    }

    private mutating func take() async throws {
        let refused = report.refusedCount
        defer {
            items.removeAll(keepingCapacity: items.count < 10 * Self.batch)
            WorkBudget.count(Self.stepsOfRefusal * (report.refusedCount - refused))
        }
        for item in items {
            switch item {
            case .refused(let place, let error): report.refuse(place, error)
            case .point(let point): take(point)
            }
            if caller != .service, report.refusedCount == Self.mostRefused {
                report.broken = BrokenTrack(
                    detail: "\(Self.mostRefused) positions were refused, and the rest was not read",
                    line: item.place.line, byte: item.place.byte)
                return
            }
            if waiting.count == Self.batch { try await perform() }
        }
    }

    private mutating func take(_ point: TrackPoint) {
        switch point.time {
        case .missing: report.countTimeless()
        case .unreadable(let text): report.refuse(point.place, .notTime(text))
        case .at(let time) where WeekRollover.isLikely(time, at: received):
            report.refuse(point.place, .rolledOver(time))
        case .at(let time):
            do throws(FieldError) {
                waiting.append(try checks.report(point, at: time))
                report.count(at: time)
            } catch { report.refuse(point.place, error) }
        }
    }

    private mutating func perform() async throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard let engine, !waiting.isEmpty else { return }
        let recorded = try await engine.perform(Record(waiting), by: caller, at: now())
        for verdict in recorded.verdicts { report.count(verdict) }
        if isAlone, engine.store.uncompactedCount > Self.mostWaiting {
            try await engine.compact()
            try await engine.writePendingStays(dueAt: nil)
        }
    }

    private mutating func conclude() {
        report.notes += reader.notes + checks.notes
        if reader.others > 0 { report.notes.append("\(reader.others) entries are not positions and were skipped") }
        if report.timeless > 0 {
            report.notes.append("\(report.timeless) positions have no time and were skipped")
        }
        let stale = report.count(of: .stale)
        if stale > 0 {
            report.notes.append("\(stale) positions are older than the retention, and were not stored")
        }
    }
}
