internal import API
internal import ArgumentParser
internal import Cities
internal import Discovery
internal import Foundation
internal import Geo
internal import Interchange
internal import Model
internal import Storage

/// `tools/bench tracks`: what the throttle makes of recorded tracks.
struct TracksBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks", abstract: "Replay recorded tracks and count the verdicts.",
        discussion: """
            Every .csv and .csv.gz file of the folder is replayed in its own order, in batches, with the default rules. Columns: \
            t (RFC 3339, or seconds since 1970), lat, lon; track, run or vehicle_id for the person, else all are of one; \
            device or phone; accuracy_m.
            """)

    @Option(help: "A folder with files of tracks.") var folder: String

    private static let batch = 1000

    func run() async throws {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let tracks = files.filter { $0.hasSuffix(".csv") || $0.hasSuffix(".csv.gz") }.sorted()
        guard !tracks.isEmpty else { throw MeasurementError("there are no tracks to replay in \(folder)") }
        print("tracks of \(folder), on \(Machine.description)")
        let gazetteer = Gazetteer()
        for name in tracks {
            let file = try TrackFile(path: "\(folder)/\(name)")
            try await withTemporaryFolder { data in
                let store = try Store(folder: data)
                let live = try Live(store: store, gazetteer: gazetteer, rules: PingRules())
                let start = ContinuousClock().now
                let counts = try await replay(file.reports, in: live)
                let time = ContinuousClock().now - start
                let suspects = try await suspects(among: Set(file.reports.map(\.person)), in: live)
                try await live.close()
                print(
                    "\(name): \(file.reports.count) pings in \(short(time.seconds)) s, \(file.unreadable) unreadable rows"
                )
                for (verdict, count) in counts.sorted(by: { $0.value > $1.value }) { print("  \(verdict): \(count)") }
                print("  of those stored, suspect: \(suspects)")
            }
        }
    }

    private func replay(_ reports: [PingReport], in live: Live) async throws -> [String: Int] {
        let people = Set(reports.map(\.person)).sorted().map { Write(Person(id: $0)) }
        let dawn = Timestamp(milliseconds: 0)
        try await live.perform(Each(people.map(PutPerson.init)), by: .service, at: dawn)
        var counts: [String: Int] = [:]
        for start in stride(from: 0, to: reports.count, by: Self.batch) {
            let batch = Array(reports[start..<min(start + Self.batch, reports.count)])
            let received = batch.compactMap(\.time).max() ?? dawn
            let recorded = try await live.perform(Record(batch), by: .service, at: received)
            for verdict in recorded.verdicts { counts[verdict.word, default: 0] += 1 }
        }
        return counts
    }

    private func suspects(among people: Set<EntityID>, in live: Live) async throws -> Int {
        var count = 0
        for person in people {
            let history = try await live.history(
                of: person, from: Timestamp(milliseconds: 0), to: .latest, limit: Int(Int32.max))
            count += history.count(where: \.isSuspect)
        }
        return count
    }
}

/// The pings of a file of tracks, in its order.
private struct TrackFile {
    private(set) var reports: [PingReport] = []
    /// How many rows have no time or no place that is possible.
    private(set) var unreadable = 0

    init(path: String) throws {
        let lines = try Archive.text(path).split(whereSeparator: \.isNewline)
        let header = lines.first.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        let columns = Columns(header)
        for line in lines.dropFirst() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            if cells.count == header.count, let report = columns.report(cells) {
                reports.append(report)
            } else {
                unreadable += 1
            }
        }
    }
}

/// Which cell of a row means what.
private struct Columns {
    private let person, device, time, latitude, longitude, accuracy: Int?

    init(_ header: [Substring]) {
        func first(_ names: String...) -> Int? { names.lazy.compactMap { header.firstIndex(of: Substring($0)) }.first }
        person = first("track", "run", "vehicle_id")
        device = first("device", "phone")
        time = first("t")
        latitude = first("lat")
        longitude = first("lon")
        accuracy = first("accuracy_m")
    }

    /// The ping of a row; nil for one without a possible time and place.
    func report(_ cells: [Substring]) -> PingReport? {
        func text(_ column: Int?) -> String? { column.map { String(cells[$0]) } }
        guard let time = text(time).flatMap(instant), let person = try? EntityID(text(person) ?? "everybody"),
            let latitude = text(latitude).flatMap(Double.init), let longitude = text(longitude).flatMap(Double.init),
            let place = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        var report = PingReport(person: person, device: text(device) ?? "", time: time, place: place)
        report.details.accuracy = text(accuracy).flatMap(Float.init)
        return report
    }

    private func instant(_ text: String) -> Timestamp? {
        guard let seconds = Double(text) else { return Timestamp(rfc3339: text) }
        return Timestamp(milliseconds: Int64((seconds * 1000).rounded()))
    }
}
