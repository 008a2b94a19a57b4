import API
import Discovery
import Foundation
import Geo
import Interchange
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Track files that are truncated, split into pieces, or malicious.
@Suite struct TrackCutTests {
    @Test("Positions that are complete before a cut are stored, wherever the cut is") func truncated() async throws {
        try await withEngine { engine in
            for seed in RandomCases.seeds(1..<301) {
                var random = SeededGenerator(seed: seed)
                let file = random.pick(MadeTrack.all)
                let bytes = Array(file.bytes.prefix(random.integer(0...file.bytes.count)))
                let person = try await engine.addPerson("cut-\(seed)")
                let whole = file.ends.count { $0 <= bytes.count }
                let text = "seed \(seed): \(file.name) cut at \(bytes.count) of \(file.bytes.count)"
                let outcome = try await engine.load(bytes, of: person, inPiecesBy: &random)
                let stored = try await engine.places(of: person)
                #expect(stored == Array(MadeTrack.places.prefix(stored.count)), "\(text)")
                // The last cell of a table may be complete before its line is.
                #expect(stored.count == whole || file.name == "csv" && stored.count == whole + 1, "\(text)")
                switch outcome {
                case .failure(let reason): #expect(stored.isEmpty && !reason.sentence.isEmpty, "\(text)")
                case .success(let report):
                    let isReported = report.json.contains(#""broken_off":{""#) || report.refusedCount > 0
                    #expect(
                        isReported || file.isWhole(at: bytes.count), "\(text): the end is told of, \(report.json)")
                    #expect(bytes.count < file.bytes.count || report.isWhole && report.refusedCount == 0, "\(text)")
                }
            }
        }
    }

    /// Random changes make positions wrong or end the file, and nothing else.
    @Test("No damaged file breaks the import") func damaged() async throws {
        try await withEngine { engine in
            let person = try await engine.addPerson("ana")
            for seed in RandomCases.seeds(1..<1001) {
                var random = SeededGenerator(seed: seed)
                var bytes = random.pick(MadeTrack.all).bytes
                for _ in 0..<random.integer(1...5) {
                    let index = random.integer(0...bytes.count - 1)
                    switch random.integer(0...2) {
                    case 0: bytes[index] = UInt8(random.integer(0...255))
                    case 1: bytes.insert(random.pick(Array("{}[]\",:<>&;-\n\t\\".utf8)), at: index)
                    default: bytes.removeSubrange(index..<min(bytes.count, index + random.integer(1...40)))
                    }
                }
                _ = try await engine.load(bytes, of: person, inPiecesBy: &random)
            }
        }
    }

    private static let bombs: [(String, String)] = [
        (
            #"<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><gpx><wpt lat="1" lon="1"><name>&b;</name></wpt></gpx>"#,
            "in line 1: it has a document type, which tracks do not need"
        ),
        (
            "<!DOCTYPE gpx SYSTEM \"file:///etc/passwd\">\n<gpx/>",
            "in line 1: it has a document type, which tracks do not need"
        ),
        ("<gpx><wpt lat=\"1\" lon=\"1\"><name>&secret;</name></wpt></gpx>", "in line 1: Entity 'secret' not defined"),
        ("<html><body/></html>", "in line 1: it is XML, but a <html> and not GPX, TCX or KML"),
        ("<gpx>\n<trk>\n</gpx>", "in line 3: Opening and ending tag mismatch: trk line 2 and gpx"),
        (String(repeating: "<gpx>", count: 100_000), "in line 1: it has elements nested more than 64 deep"),
        ("<gpx>\((0..<2000).map { "<e\($0)/>" }.joined())</gpx>", "it has elements of more than 1000 names"),
        ("<gpx>\(String(repeating: "<?a b?><e a='' b=''/>", count: 50_000))</gpx>", "more than 100000 attributes and"),
        ("<gpx \(String(repeating: " ", count: 17_000))></gpx>", "it has a tag of more than 16384 bytes"),
        ("<gpx></gpx><gpx>", "in line 1: Extra content at the end of the document"),
        ("<gpx><trk>", "in line 1: it ends within its elements"), ("<gpx a='", "in line 1: "),
        (String(repeating: "[", count: 100_000), "at byte 100000: it ends within an array or an object"),
        ("{\"locations\":[}", "at byte 14: an array ends with '}'"),
        ("]", "it is in no known format; it must be gpx, tcx, kml, nmea, geojson, timeline, owntracks, ndjson or csv"),
        ("", "it is empty"), ("\u{1f}\u{8b}", "it is in no known format"), ("PK\u{3}\u{4}", "compressed as zip"),
        ("a,b\n1,2\n", "in line 1: The header has no column for t, lat, lon"),
        ("{\"type\":\"FeatureCollection\",\"features\":[]}", "no positions in a known format"),
    ]

    @Test("Files that cannot be read are refused with a reason", arguments: bombs)
    func unreadable(file: String, reason: String) async throws {
        try await withEngine { engine in
            let person = try await engine.addPerson("ana")
            var random = SeededGenerator(seed: 1)
            let outcome = try await engine.load(Array(file.utf8), of: person, inPiecesBy: &random)
            guard case .failure(let refusal) = outcome else {
                Issue.record("\(try outcome.get().json)")
                return
            }
            #expect(refusal.sentence.contains(reason), "\(refusal.sentence)")
        }
    }

    @Test("An element that is too long is the only one refused") func longElement() async throws {
        try await withEngine { engine in
            let person = try await engine.addPerson("ana")
            let good = #"{"lat":39.47,"lon":-0.376,"t":"2026-01-02T08:00:00Z"}"#
            let long = #"{"lat":1,"lon":"\#(String(repeating: "1", count: 9 << 20))"}"#
            var random = SeededGenerator(seed: 1)
            let outcome = try await engine.load(Array("[\(long),\n\(good)]".utf8), of: person, inPiecesBy: &random)
            #expect(
                try outcome.get().json
                    == #"{"format":"json","rows":2,"stored":1,"verdicts":{"stored":1},"without_time":0,"interval":"2026-01-02T08:00:00Z/2026-01-02T08:00:00Z","refused":[{"row":1,"byte":1,"errors":[{"pointer":"","code":"format","detail":"has more than 8388608 bytes: split it"}]}],"refused_count":1}"#
            )
        }
    }
}

/// A track of twenty positions in each format, with the byte at which each position is complete.
struct MadeTrack: Sendable {
    var name: String
    var bytes: [UInt8]
    var ends: [Int]

    static let places: [Coordinate] = (0..<20).compactMap {
        Coordinate(latitudeE7: 394_700_000 + Int32($0) * 100_000, longitudeE7: -3_760_000)
    }

    /// Whether a file that ends after `count` bytes looks complete, as do formats of lines after any line.
    func isWhole(at count: Int) -> Bool {
        switch name {
        case "gpx", "kml", "records", "lines": count == bytes.count
        default: true
        }
    }

    private init(
        _ name: String, _ beginning: String, between: String = "\n", _ end: String,
        _ position: (_ latitude: String, _ time: String, _ index: Int) -> String
    ) {
        self.name = name
        bytes = Array(beginning.utf8)
        ends = []
        for (index, place) in Self.places.enumerated() {
            if index > 0 { bytes += between.utf8 }
            let time = Timestamp(milliseconds: 1_767_340_800_000 + Int64(index) * 600_000).rfc3339
            bytes += position("\(place.latitude)", time, index).utf8
            ends.append(bytes.count)
        }
        bytes += end.utf8
    }

    /// The sentence RMC of a position, with its checksum.
    private static func nmea(_ index: Int, _ time: String) -> String {
        let clock = time.dropFirst(11).prefix(8).filter(\.isNumber)
        let minutes = String(2820 + index * 60 + 10_000).dropFirst()
        let sentence = "GPRMC,\(clock),A,39\(minutes.prefix(2)).\(minutes.suffix(2)),N,00022.56,W,,,020126,,,A"
        let sum = sentence.utf8.reduce(0, ^)
        return "$\(sentence)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16))"
    }

    static let all = [
        MadeTrack("gpx", "<?xml version=\"1.0\"?>\n<gpx><trk><trkseg>", "</trkseg></trk></gpx>") { latitude, time, _ in
            "<trkpt lat=\"\(latitude)\" lon=\"-0.376\"><time>\(time)</time></trkpt>"
        },
        MadeTrack(
            "kml", "<?xml version=\"1.0\"?>\n<kml><Document><Placemark><gx:Track xmlns:gx=\"g\">",
            "</gx:Track></Placemark></Document></kml>"
        ) { latitude, time, _ in "<when>\(time)</when><gx:coord>-0.376 \(latitude) 0</gx:coord>" },
        MadeTrack("nmea", "", between: "\r\n", "\r\n") { _, time, index in nmea(index, time) },
        MadeTrack("records", "{\"locations\":[", between: ", ", "\n]}") { latitude, time, index in
            "{\"latitudeE7\":\(394_700_000 + index * 100_000),\"longitudeE7\":-3760000,\"timestamp\":\"\(time)\"}"
        },
        MadeTrack("lines", "{\"type\":\"FeatureCollection\",\"features\":[", between: ",\n", "]}") {
            latitude, time, _ in
            "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[-0.376,\(latitude)]]},\"properties\":{\"coordTimes\":[\"\(time)\"]}}"
        },
        MadeTrack("rec", "", "\n") { latitude, time, _ in
            "\(time)\t*                 \t{\"_type\":\"location\",\"lat\":\(latitude),\"lon\":-0.376}"
        },
        MadeTrack("ndjson", "", "\n") { latitude, time, _ in "{\"lat\":\(latitude),\"lon\":-0.376,\"t\":\"\(time)\"}" },
        MadeTrack("csv", "lat,lon,t\n", "\n") { latitude, time, _ in "\(latitude),-0.376,\(time)" },
    ]
}

extension Engine {
    func addPerson(_ name: String) async throws -> PersonID {
        let id = try PersonID(name)
        try await perform(PutPeople([Write(Person(id: id))]), by: .service, at: morning)
        return id
    }

    /// Loads a file in pieces of random size; the failure is the reason why the file was refused.
    func load(
        _ bytes: [UInt8], of person: PersonID, inPiecesBy random: inout SeededGenerator
    ) async throws -> Result<TrackReport, SentenceError> {
        var session = try TrackSession(
            person: person, device: "", format: nil, into: self, received: morning, by: .service, now: { morning })
        do {
            var start = 0
            let most = random.pick([1, 7, 100, 70_000])
            while start < bytes.count {
                let end = min(bytes.count, start + random.integer(1...most))
                try await session.read(Array(bytes[start..<end]))
                start = end
            }
            return .success(try await session.finish())
        } catch { return .failure(SentenceError(ImportSession.sentence(for: error))) }
    }

    func places(of person: PersonID) async throws -> [Coordinate] {
        try await history(of: person, from: Timestamp(milliseconds: 0), to: morning, limit: 1000).map(\.place)
    }
}

struct SentenceError: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}

/// Runs `body` with a live service state on a temporary folder.
func withEngine(_ body: (Engine) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let engine = try Engine(store: Store(folder: folder), gazetteer: gazetteer, rules: PingRules())
    try await body(engine)
    try await engine.close()
}
