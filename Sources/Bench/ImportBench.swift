internal import Algorithms
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Interchange
internal import Model

/// `tools/bench import`: measures imports of tracks in the formats of other programs.
struct ImportBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Measure the speed and memory of imports of tracks.",
        discussion: """
            A walk with a position per second is written in each format, and 'cerca import tracks' runs on it: only to read it \
            (--dry-run), into an empty folder, and into the same folder again. Memory is the maximum of the process, including \
            pages of files. With --tracks, files like those of 'tools/bench tracks' are imported too, one person per track.
            """)

    @Option(help: "The number of positions in a file.") var points = 1_000_000
    @Option(help: "A folder of recorded tracks, as .csv.") var tracks: String?

    func run() async throws {
        print("import of tracks on \(Machine.description)")
        row("form", "MB", "read, rows/s", "stored, rows/s", "again, rows/s", "most memory", widths: Self.widths)
        try await withTemporaryFolder { folder in
            let people = folder.appending(path: "people.csv")
            try Data("id\nwalker\n".utf8).write(to: people)
            for form in WrittenTrack.all {
                let file = folder.appending(path: form.name)
                try form.write(points, to: file)
                let data = folder.appending(path: "data-\(form.name)")
                _ = try RunningService.load("people", people, into: data)
                let read = try measured(file, "--dry-run")
                let stored = try measured(file, "--data", data.path)
                let again = try measured(file, "--data", data.path)
                guard !again.said.contains(" stored,") else { throw MeasurementError("again: \(again.said)") }
                row(
                    form.name, short(Double(try Data(contentsOf: file, options: .alwaysMapped).count) / 1e6, 0),
                    rate(read), rate(stored), rate(again),
                    "\([read, stored, again].map(\.memory).max().map { $0 >> 20 } ?? 0) MiB", widths: Self.widths)
                try FileManager.default.removeItem(at: data)
                try FileManager.default.removeItem(at: file)
            }
        }
        if let tracks { try await replay(tracks) }
    }

    private static let widths = [16, 8, 14, 16, 15, 12]

    private func rate(_ run: Run) -> String { short(Double(points) / run.time.seconds, 0) }

    private struct Run {
        var time: Duration
        /// Bytes.
        var memory: Int
        var said: String
    }

    /// Runs an import to completion, and samples its memory.
    private func measured(_ file: URL, _ arguments: String...) throws -> Run {
        let process = Process()
        let output = Pipe()
        process.executableURL = RunningService.executable
        process.arguments = ["import", "tracks", file.path, "--person", "walker"] + arguments
        process.standardOutput = output
        let start = ContinuousClock.now
        try process.run()
        var memory = 0
        while process.isRunning {
            memory = max(memory, Machine.memory("VmHWM:", of: "\(process.processIdentifier)"))
            usleep(5_000)
        }
        let time = ContinuousClock.now - start
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw MeasurementError("\(file.lastPathComponent) ended with \(process.terminationStatus): \(said)")
        }
        return Run(time: time, memory: memory, said: said)
    }

    private func replay(_ folder: String) async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        for name in files where name.hasSuffix(".csv") {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let lines = text.split(whereSeparator: \.isNewline)
            guard let header = lines.first else { continue }
            // The first column names the person or the device of a row.
            let parts = Dictionary(grouping: lines.dropFirst()) { $0.prefix { $0 != "," } }
            try await withEngine { engine in
                var (time, counts) = (Duration.zero, [Substring: Int]())
                for (index, part) in parts.sorted(by: { $0.key < $1.key }).enumerated() {
                    let person = try PersonID("track-\(index)")
                    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
                    try await engine.perform(PutPerson(Write(Person(id: person))), by: .service, at: now)
                    let text = Array((header + "\n" + part.value.joined(separator: "\n")).utf8)
                    let start = ContinuousClock.now
                    var session = try TrackSession(
                        person: person, device: "", format: nil, into: engine, received: now, isAlone: true,
                        by: .service, now: { now }
                    )
                    for piece in text.chunks(ofCount: 1 << 18) { try await session.read(Array(piece)) }
                    let report = try await session.finish().json
                    time += ContinuousClock.now - start
                    for match in report.prefix(1000).matches(of: #/"([a-z_:]+)":(\d+)/#) {
                        counts[match.1, default: 0] += Int(match.2) ?? 0
                    }
                }
                let rate = short(Double(lines.count) / time.seconds, 0)
                print("\(name): \(parts.count) tracks, \(lines.count - 1) rows, \(rate) rows/s")
                for (word, count) in counts.sorted(by: { $0.value > $1.value }) where word != "row" {
                    print("  \(word): \(count)")
                }
            }
        }
    }
}

/// A walk in one of the formats of other programs.
private struct WrittenTrack: Sendable {
    let name: String
    private let beginning: String
    private var between = ",\n"
    private let end: String
    private let position: @Sendable (_ latitude: Int, _ time: Timestamp) -> String

    static let all = [
        WrittenTrack(
            name: "walk.gpx", beginning: "<gpx version=\"1.1\"><trk><trkseg>\n", between: "\n",
            end: "</trkseg></trk></gpx>\n"
        ) {
            "<trkpt lat=\"\(degrees($0))\" lon=\"-0.3762881\"><ele>15.5</ele><time>\($1.rfc3339)</time><extensions><speed>1.4</speed></extensions></trkpt>"
        },
        WrittenTrack(name: "Records.json", beginning: "{\"locations\":[", end: "]}\n") {
            "{\"latitudeE7\":\($0),\"longitudeE7\":-3762881,\"accuracy\":12,\"activity\":[{\"activity\":[{\"type\":\"WALKING\",\"confidence\":90}],\"timestamp\":\"\($1.rfc3339)\"}],\"source\":\"GPS\",\"deviceTag\":-577874823,\"timestamp\":\"\($1.rfc3339)\"}"
        },
        WrittenTrack(name: "Timeline.json", beginning: "{\"semanticSegments\":[", end: "]}\n") {
            "{\"startTime\":\"\($1.rfc3339)\",\"endTime\":\"\($1.rfc3339)\",\"timelinePath\":[{\"point\":\"\(degrees($0))°, -0.3762881°\",\"time\":\"\($1.rfc3339)\"}]}"
        },
        WrittenTrack(name: "points.geojson", beginning: "{\"type\":\"FeatureCollection\",\"features\":[", end: "]}\n") {
            "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[-0.3762881,\(degrees($0))]},\"properties\":{\"time\":\"\($1.rfc3339)\",\"accuracy\":12}}"
        },
        WrittenTrack(name: "walk.rec", beginning: "", between: "\n", end: "\n") {
            "\($1.rfc3339)\t*                 \t{\"_type\":\"location\",\"tid\":\"wa\",\"lat\":\(degrees($0)),\"lon\":-0.3762881,\"tst\":\($1.milliseconds / 1000),\"acc\":12,\"alt\":15,\"vel\":5,\"batt\":55}"
        },
        WrittenTrack(name: "walk.csv", beginning: "t,lat,lon,accuracy_m,speed_mps\n", between: "\n", end: "\n") {
            "\($1.rfc3339),\(degrees($0)),-0.3762881,12,1.4"
        },
    ]

    private static func degrees(_ latitudeE7: Int) -> String { short(Double(latitudeE7) / 1e7, 7) }

    /// Writes positions 1 s and 1.4 m apart, back and forth along a meridian.
    func write(_ count: Int, to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var text = beginning
        for index in 0..<count {
            let way = index % 100_000
            let time = Timestamp(milliseconds: 1_600_000_000_000 + Int64(index) * 1000)
            if index > 0 { text += between }
            text += position(394_700_000 + 126 * min(way, 100_000 - way), time)
            guard text.utf8.count > 1 << 20 else { continue }
            try handle.write(contentsOf: Data(text.utf8))
            text = ""
        }
        try handle.write(contentsOf: Data((text + end).utf8))
        try handle.close()
    }
}
