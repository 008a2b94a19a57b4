public import Discovery
internal import Geo
public import Model
internal import Storage

/// An import of one person's tracks under way: bytes go in as they arrive, and positions are judged a thousand at a time, as if
/// they had been sent live.
///
/// A position that is refused leaves the others alone. A file that breaks off is imported as far as it is whole, and the report
/// says where that is. What was stored stays stored; the same file again finds duplicates, and stores nothing.
public struct TrackSession: Sendable {
    /// How many positions are judged together.
    private static let batch = 1000
    /// How many refused positions end the reading of a person's file.
    private static let mostRefused = 10_000
    /// Steps of reading: the bytes of one, those of an entry, and those that a refused entry takes more.
    private static let (bytesOfStep, stepsOfEntry, stepsOfRefusal) = (2, 20, 100)
    /// How many pings may wait in the log before the import itself folds them, where nothing else does.
    private static let mostWaiting = 100_000

    private let live: Live?
    private let caller: Caller
    private let now: @Sendable () -> Timestamp
    private let isAlone: Bool
    private var reader: any TrackReader
    private var checks: TrackChecks
    private var waiting: [PingReport] = []
    private var items: [TrackItem] = []
    private var report: TrackReport

    /// Begins an import into a live picture; without one positions are read and checked only.
    ///
    /// - Parameters:
    ///   - person: whose tracks they are.
    ///   - device: the device of positions that name none, at most 255 bytes.
    ///   - format: how the file is written; nil if its content is to tell.
    ///   - live: what is changed.
    ///   - isAlone: whether nothing but this import keeps the store's log short.
    ///   - caller: on whose behalf it is done.
    ///   - now: the clock, which is read once for each thousand positions.
    /// - Throws: ``Refusal/unknown(_:_:)`` for a person whom the picture does not know.
    public init(
        person: PersonID, device: String, format: TrackFormat?, into live: Live?, isAlone: Bool = false,
        by caller: Caller, now: @escaping @Sendable () -> Timestamp
    ) throws {
        _ = try live?.number(of: person)
        self.live = live
        self.isAlone = isAlone
        self.caller = caller
        self.now = now
        reader = format?.reader ?? TrackDetector()
        checks = TrackChecks(person: person, device: device)
        report = TrackReport(format: format)
    }

    /// How many bytes were read.
    private var size = 0

    /// Whether what follows is not read any more.
    public var isBroken: Bool { report.broken != nil }

    /// Takes a further piece of the file.
    ///
    /// - Throws: when the storage fails.
    public mutating func read(_ bytes: [UInt8]) async throws {
        guard !isBroken else { return }
        let passed = reader.others
        do throws(BrokenTrack) { try reader.read(bytes, into: &items) } catch { report.broken = error }
        Effort.count(bytes: size..<size + bytes.count, ofStep: Self.bytesOfStep)
        Effort.count(Self.stepsOfEntry * (items.count + reader.others - passed))
        size += bytes.count
        try await take()
    }

    /// Takes the end of the file.
    ///
    /// - Returns: what the import did.
    /// - Throws: when the storage fails, or the file cannot be read at all.
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
            throw FormError(.invalidBody, detail: "The file has no positions in a form that is known here.")
        }
        report.format = report.format ?? (reader as? TrackDetector)?.format
        conclude()
        return report
    }

    /// Ends an import that cannot go on; what was read of it is done first.
    ///
    /// - Returns: the reason, which says how far the import came.
    public mutating func end(because error: any Error) async -> any Error {
        // Should the storage fail here too, the positions that waited are not counted.
        try? await perform()
        return BrokenImport(
            cause: error, done: report.rows - report.refusedCount, refused: report.refusedCount, isDry: live == nil)
    }

    private mutating func take() async throws {
        let refused = report.refusedCount
        defer {
            items.removeAll(keepingCapacity: items.count < 10 * Self.batch)
            Effort.count(Self.stepsOfRefusal * (report.refusedCount - refused))
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
        case .at(let time):
            do throws(FieldError) {
                waiting.append(try checks.report(point, at: time))
                report.count(at: time)
            } catch { report.refuse(point.place, error) }
        }
    }

    private mutating func perform() async throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard let live, !waiting.isEmpty else { return }
        let recorded = try await live.perform(Record(waiting), by: caller, at: now())
        for verdict in recorded.verdicts { report.count(verdict) }
        if isAlone, live.store.unfoldedCount > Self.mostWaiting {
            try await live.fold()
            try await live.keepSightings(dueAt: nil)
        }
    }

    private mutating func conclude() {
        report.notes += reader.notes + checks.notes
        if reader.others > 0 { report.notes.append("\(reader.others) entries are no positions and were passed over") }
        if report.timeless > 0 {
            report.notes.append("\(report.timeless) positions have no time and were passed over")
        }
        let stale = report.count(of: .stale)
        if stale > 0 {
            report.notes.append("\(stale) positions are older than positions are kept, and were not stored")
        }
    }
}
