internal import Algorithms
internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

/// `tools/bench stream`: measures reading a long history, quickly or slowly, while others write.
struct StreamBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream", abstract: "Measure what it costs to read a long history while others write.",
        discussion: """
            One person's pings are stored over HTTP and read back as GPX and as CSV; then as GPX again, spread over --minutes, \
            while other people's pings are stored all the time. Printed is what arrived, and the most that the service held in \
            memory (beyond pages of files) and in the write-ahead log meanwhile.
            """)

    @Option(help: "How many pings the history has.") var points = 1_000_000
    @Option(help: "For how long the slow reader reads.") var minutes = 1.0
    @Option(help: "Where the data is for the time of the measurement.") var folder: String?

    func run() async throws {
        try await withFolder(folder) { folder in
            print("stream on \(Machine.description)")
            let data = folder.appending(path: "bench-data")
            let service = try RunningService(data: data)
            let log = data.appending(path: "cerca.sqlite-wal")
            try await store(service)
            for type in ["application/gpx+xml", "text/csv"] {
                try await report(type, service, log) { _ in }
            }
            let load = Load(service)
            try await load.begin()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { while !Task.isCancelled { try await load.write() } }
                let clock = ContinuousClock()
                let (start, whole) = (clock.now, minutes * 60)
                let written = await load.written
                try await report("application/gpx+xml", service, log) { share in
                    try await clock.sleep(until: start + .seconds(whole * share))
                }
                group.cancelAll()
                let rate = Double(await load.written - written) / (clock.now - start).seconds
                print("  others stored \(Int(rate)) pings a second meanwhile")
            }
            try service.stop()
        }
    }

    private func store(_ service: RunningService) async throws {
        try await service.add(#"{"id":"walker"}"#)
        for range in (0..<points).chunks(ofCount: 10_000) {
            let pings = range.map { index in
                let latitude = short(Double((index % 20_000 - 10_000).magnitude) * 0.006, 3)
                return
                    #"{"person":"walker","device":"phone","t":\#(1_500_000_000 + index * 120),"lat":\#(latitude),"lon":1,"accuracy_m":12,"speed_mps":5.5}"#
            }
            try await service.store(pings)
        }
    }

    /// Reads the history; `pause` is called with the received share.
    private func report(
        _ type: String, _ service: RunningService, _ log: URL, _ pause: (_ share: Double) async throws -> Void
    ) async throws {
        var request = HTTPClientRequest(url: service.base + "/v1/people/walker/history")
        request.headers.add(name: "accept", value: type)
        // Such regular walks compress so well that a client suspects a decompression bomb.
        request.headers.add(name: "accept-encoding", value: "identity")
        let clock = ContinuousClock()
        let (start, before) = (clock.now, service.anonymousMemory)
        var (bytes, rows, memory, longest) = (0, 0, before, 0)
        let response = try await HTTPClient.shared.execute(request, timeout: .hours(24))
        for try await piece in response.body {
            bytes += piece.readableBytes
            rows += piece.readableBytesView.count { $0 == UInt8(ascii: "\n") }
            memory = max(memory, service.anonymousMemory)
            longest = max(longest, Machine.size(of: log))
            try await pause(Double(min(rows, points)) / Double(points))
        }
        // Besides the rows, GPX has five lines and CSV one.
        rows -= type == "text/csv" ? 1 : 5
        guard rows == points else { throw MeasurementError("\(rows) of \(points) came") }
        let seconds = (clock.now - start).seconds
        print(
            """
            \(type): \(rows) pings, \(bytes >> 20) MB in \(short(seconds)) s, \(Int(Double(rows) / seconds)) a second; \
            memory \(before >> 20) MB before, at most \(memory >> 20) MB; write-ahead log at most \(short(Double(longest) / 1048576)) MB
            """)
    }

    /// Other people who send pings continuously.
    private actor Load {
        private static let people = 1_000
        private let service: RunningService
        private var step = 0
        var written: Int { step * Self.people }

        init(_ service: RunningService) { self.service = service }

        func begin() async throws {
            let people = (0..<Self.people).map { #"{"id":"p\#($0)"}"# }.joined(separator: "\n")
            try await service.add(people)
        }

        /// Sends a ping for each person.
        func write() async throws {
            let pings = (0..<Self.people).map { person in
                #"{"person":"p\#(person)","t":\#(1_000_000_000 + step * 130),"lat":\#(short(Double(person) * 0.05)),"lon":\#(short(1 + Double((step % 20_000 - 10_000).magnitude) * 0.01))}"#
            }
            try await service.store(pings)
            step += 1
        }
    }
}

extension RunningService {
    /// Creates people, each given as a line of JSON.
    fileprivate func add(_ people: String) async throws {
        try await HTTPClient.shared.post("\(base)/v1/imports/people", people, type: "application/x-ndjson")
    }

    fileprivate func store(_ pings: [String]) async throws {
        try await HTTPClient.shared.store("[\(pings.joined(separator: ","))]", count: pings.count, at: base)
    }
}
