internal import Foundation

/// The external load generator wrk against a running service.
struct WireLoad {
    let service: RunningService
    /// The duration of each measurement in seconds.
    let seconds: Int
    /// The number of people whose pings are sent.
    let people: Int
    /// The folder for files with requests.
    let folder: URL
    /// The number of positions that each person has sent.
    private var steps = 0

    init(_ service: RunningService, seconds: Int, people: Int, in folder: URL) {
        (self.service, self.seconds, self.people, self.folder) = (service, seconds, people, folder)
    }

    struct Result {
        let requests: Int
        let refused: Int
        let seconds: Double
        /// The size of all responses, including headers.
        let bytes: Int
        /// Milliseconds.
        let p50, p99, p999: Double
        /// The CPU time of the service, in seconds.
        let processorTime: Double

        /// Requests per second that were not rejected.
        var rate: Double { Double(requests - refused) / seconds }

        /// Prints a row, with the rate relative to the constant response.
        func print(_ name: String, _ connections: Int, constant: Double) {
            row(
                name, "\(connections)", "\(Int(rate))", short(rate / constant), short(p50), short(p99), short(p999),
                short(processorTime / Double(requests) * 1e6, 1), "\(bytes / requests)", "\(refused)",
                widths: Self.widths)
        }

        static func printHead() {
            row(
                "requests", "from", "a second", "of /livez", "p50 ms", "p99 ms", "p99.9 ms", "CPU us", "bytes",
                "refused", widths: widths)
        }

        private static let widths = [36, 5, 9, 9, 8, 8, 9, 8, 8, 8]
    }

    /// Sends requests in turn, given as lines of method, path and body.
    func ask(_ lines: [String], from connections: Int) throws -> Result {
        let file = folder.appending(path: "questions")
        try Data("\(lines.joined(separator: "\n"))\n".utf8).write(to: file)
        return try Load(self, connections, ["questions", file.path]).end()
    }

    /// Sends batches of pings; each connection waits for some milliseconds before each batch.
    mutating func send(_ batch: Int, from connections: Int, waiting: Int = 0) throws -> Load {
        steps += 1000
        return try Load(self, connections, ["pings", "\(batch)", "\(people)", "\(steps)", "\(waiting)"])
    }

    final class Load {
        private let service: RunningService
        private let processor: Double
        private let process = Process()
        private let output = Pipe()

        fileprivate init(_ load: WireLoad, _ connections: Int, _ arguments: [String]) throws {
            service = load.service
            processor = service.processorTime
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["wrk", "-t1", "-c\(connections)", "-d\(load.seconds)", "-s", "tools/wire.lua", service.base, "--"]
                + arguments
            process.standardOutput = output
            try process.run()
        }

        /// Waits for the end of the run.
        ///
        /// - Throws: ``MeasurementError`` if a request was not answered.
        func end() throws -> Result {
            let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let numbers = said.split(separator: "\n").last { $0.hasPrefix("wire ") }?.split(separator: " ").dropFirst()
                .compactMap { Double($0) }
            guard let numbers, numbers.count == 8, numbers[0] > 0, numbers[3] == 0 else {
                throw MeasurementError("wrk ended with \(process.terminationStatus): \(said)")
            }
            return Result(
                requests: Int(numbers[0]), refused: Int(numbers[7]), seconds: numbers[1], bytes: Int(numbers[2]),
                p50: numbers[4], p99: numbers[5], p999: numbers[6], processorTime: service.processorTime - processor)
        }
    }
}
