package import Discovery
package import Model

/// The result of an import of tracks.
public struct TrackReport: Sendable {
    /// The format in which the file was read.
    package var format: TrackFormat?
    /// The number of positions found, including refused ones and ones without a time.
    package private(set) var rows = 0
    /// The number of positions skipped because they have no time.
    package private(set) var timeless = 0
    private var verdicts: [String: Int] = [:]
    private var refusals = Refusals()
    private var earliest: Timestamp?
    private var latest: Timestamp?
    package var notes: [String] = []
    /// The error after which the file could not be read any further.
    package var broken: BrokenTrack?

    package init(format: TrackFormat?) { self.format = format }

    /// The number of refused positions.
    public var refusedCount: Int { refusals.count }

    /// Whether the file was read to its end.
    public var isWhole: Bool { broken == nil }

    package mutating func refuse(_ place: FilePlace, _ error: FieldError) {
        rows += 1
        refusals.add(place, [error])
    }

    package mutating func countTimeless() {
        rows += 1
        timeless += 1
    }

    /// Counts a position that will get a verdict.
    package mutating func count(at time: Timestamp) {
        rows += 1
        earliest = min(earliest ?? time, time)
        latest = max(latest ?? time, time)
    }

    package mutating func count(_ verdict: Verdict) { verdicts[verdict.word, default: 0] += 1 }

    package func count(of verdict: Verdict) -> Int { verdicts[verdict.word] ?? 0 }

    package func write(to json: inout JSONWriter) {
        json.member("format", format?.rawValue)
        json.member("rows", Int64(rows))
        json.member("stored", Int64(count(of: .stored)))
        json.object("verdicts") { json in
            for (verdict, count) in verdicts.sorted(by: { $0.key < $1.key }) {
                json.member(verdict, Int64(count))
            }
        }
        json.member("without_time", Int64(timeless))
        if let earliest, let latest { json.member("interval", "\(earliest.rfc3339)/\(latest.rfc3339)") }
        refusals.write(to: &json)
        json.member("notes", notes)
        if let broken {
            json.object("broken_off") { json in
                json.member("line", broken.line.map(Int64.init))
                json.member("byte", broken.byte.map(Int64.init))
                json.member("detail", broken.detail)
            }
        }
    }

    /// The report as JSON, as in the HTTP response.
    public var json: String { String(decoding: JSONWriter.object(write), as: UTF8.self) }
}
