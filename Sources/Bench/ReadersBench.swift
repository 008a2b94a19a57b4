internal import Algorithms
internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Model

/// `tools/bench readers`: measures the cost of many readers of events, and the delay until all have an event.
struct ReadersBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers", abstract: "Measure many readers of events, over HTTP.",
        discussion: """
            All readers follow all events. Somebody moves now and then, which is told to each of them; a round is over when \
            the last one has it.
            """)

    @Option(help: "How many readers follow.") var readers = 10_000
    @Option(help: "How often somebody moves.") var rounds = 20

    /// Number of readers per loopback address.
    private static let fromOneAddress = 500
    private static let longestRound = Duration.seconds(60)

    func run() async throws {
        print("\(readers) readers of all events, on \(Machine.description)")
        try await withTemporaryFolder { folder in
            let room = ["CERCA_LIMITS_CONNECTIONS": "\(readers + 10)", "CERCA_LIMITS_READERS": "\(readers)"]
            let service = try RunningService(data: folder.appending(path: "data"), environment: room)
            defer { _ = try? service.stop() }
            try await HTTPClient.shared.put("\(service.base)/v1/people/ana", "{}")
            try await move(0, service)
            let empty = service.anonymousMemory
            let sockets = try await connect(to: service)
            func each() -> String {
                short(Double(service.anonymousMemory - empty) / Double(max(1, readers)) / 1000, 1)
            }
            let first = each()
            var taken: [Double] = []
            let before = service.processorTime
            for round in 1...max(1, rounds) {
                let start = ContinuousClock.now
                try await move(round, service)
                try await all(sockets, have: "\nevent: ping.moved", since: start)
                taken.append((ContinuousClock.now - start).seconds)
            }
            let processor = (service.processorTime - before) / Double(taken.count * max(1, readers))
            print("each takes \(first) kB, and \(each()) when it has been told of something (mark: 20)")
            taken.sort()
            print(
                "the last one was told after \(short(taken[taken.count / 2] * 1000, 0)) ms in the median, "
                    + "\(short(taken[taken.count - 1] * 1000, 0)) at most; "
                    + "\(short(processor * 1e6, 1)) µs of a core for each")
        }
    }

    private func connect(to service: RunningService) async throws -> [SiegeSocket] {
        let request = Array("GET /v1/events HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n".utf8)
        var sockets: [SiegeSocket] = []
        for numbers in (0..<readers).chunks(ofCount: Self.fromOneAddress) {
            let source = "127.0.1.\(1 + numbers.lowerBound / Self.fromOneAddress)"
            let some = try numbers.map { number in
                guard let socket = SiegeSocket(from: source, to: service.base), socket.send(request) == request.count
                else { throw MeasurementError("reader \(number) was not let in") }
                return socket
            }
            try await all(some, have: "HTTP/1.1 200", since: .now)
            sockets += some
        }
        return sockets
    }

    /// Reads until each socket has received a text.
    private func all(_ sockets: [SiegeSocket], have text: String, since start: ContinuousClock.Instant) async throws {
        var heard = sockets.map { _ in "" }
        var missing = Array(sockets.indices)
        while !missing.isEmpty {
            missing.removeAll { number in
                heard[number] += String(decoding: sockets[number].receive(), as: UTF8.self)
                return heard[number].contains(text)
            }
            guard ContinuousClock.now - start < Self.longestRound else {
                throw MeasurementError("\(missing.count) readers were not told; the first has: \(heard[missing[0]])")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Moves a person by a kilometer in ten minutes.
    private func move(_ round: Int, _ service: RunningService) async throws {
        let time = Timestamp(milliseconds: 1_795_168_800_000) + .seconds(Int64(600 * round))
        let ping = #"{"person":"ana","t":"\#(time.rfc3339)","lat":\#(39 + Double(round) / 100),"lon":-0.4}"#
        try await HTTPClient.shared.store("[\(ping)]", count: 1, at: service.base)
    }
}
