internal import Algorithms
internal import Foundation
internal import Geo
internal import Glibc
internal import Synchronization

/// The baseline of Redis, which finds the nearest ten of the same places within the exact radius that contains them.
///
/// This favors Redis: a client that does not know the radius has to try several.
final class RedisBaseline {
    private let process = Process()
    private let socket: String

    /// Starts Redis with these places, except near the poles, which it rejects; nil if it is not installed.
    init?(_ places: some Sequence<Coordinate>, in folder: URL) throws {
        guard try Run("which", "redis-server").status == 0 else { return nil }
        socket = folder.appending(path: "redis").path
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--daemonize", "no"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while !FileManager.default.fileExists(atPath: socket) {
            guard process.isRunning else { throw MeasurementError("redis-server did not start") }
            usleep(10_000)
        }
        let connection = try Connection(socket)
        for places in places.enumerated().lazy.filter({ abs($0.element.latitude) < 85 }).chunks(ofCount: 1000) {
            let words = places.flatMap { ["\($0.element.longitude)", "\($0.element.latitude)", "s\($0.offset)"] }
            try connection.ask(Self.command(["GEOADD", "places"] + words))
        }
    }

    // SIGKILL, because the process may inherit other signals as blocked and has no data to save.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Sends queries from a number of connections for a duration in seconds.
    ///
    /// - Returns: the number of queries per second, and Redis's CPU time per query in microseconds.
    func ask(_ questions: [(origin: Coordinate, metres: Double)], from connections: Int, seconds: Int) throws -> (
        rate: Double, cost: Double
    ) {
        let commands = questions.filter { abs($0.origin.latitude) < 85 }.map { origin, metres in
            Self.command([
                "GEOSEARCH", "places", "FROMLONLAT", "\(origin.longitude)", "\(origin.latitude)", "BYRADIUS",
                "\(metres)", "m", "ASC", "COUNT", "10",
            ])
        }
        let before = Machine.processorTime(of: "\(process.processIdentifier)")
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let answered = Atomic(0)
        let links = try (0..<connections).map { _ in try Connection(socket) }
        let failure = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        for (number, link) in links.enumerated() {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                var next = number
                do {
                    while ContinuousClock.now < end {
                        try link.ask(commands[next % commands.count])
                        next += connections
                        answered.add(1, ordering: .relaxed)
                    }
                } catch { failure.withLock { $0 = error } }
            }
        }
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        let count = Double(answered.load(ordering: .relaxed))
        let time = Machine.processorTime(of: "\(process.processIdentifier)") - before
        return (count / (ContinuousClock.now - start).seconds, time / count * 1e6)
    }

    /// A command in Redis's protocol (RESP2).
    private static func command(_ words: [String]) -> [UInt8] {
        Array(("*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()).utf8)
    }

    /// A connection that waits for each response.
    private final class Connection: Sendable {
        private let descriptor: Int32

        init(_ path: String) throws {
            descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let isLong = path.utf8.count >= MemoryLayout.size(ofValue: address.sun_path)
            withUnsafeMutableBytes(of: &address.sun_path) {
                $0.copyBytes(from: path.utf8.prefix(isLong ? 0 : $0.count))
            }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) } == 0
            }
            guard isConnected else { throw MeasurementError("no connection to \(path)") }
        }

        deinit { close(descriptor) }

        /// Sends a command and reads its response: a line, or a list of texts.
        func ask(_ command: [UInt8]) throws {
            guard send(descriptor, command, command.count, Int32(MSG_NOSIGNAL)) == command.count else {
                throw MeasurementError("Redis does not take a command")
            }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            repeat {
                let count = recv(descriptor, &piece, piece.count, 0)
                guard count > 0, piece[0] != UInt8(ascii: "-") || !bytes.isEmpty else {
                    throw MeasurementError(
                        "Redis answers \(String(decoding: piece.prefix(max(0, count)), as: UTF8.self))")
                }
                bytes += piece.prefix(count)
            } while !isWhole(bytes)
        }

        /// Whether a response is complete; each text of a list has two lines.
        private func isWhole(_ bytes: [UInt8]) -> Bool {
            guard bytes.last == UInt8(ascii: "\n") else { return false }
            let lines = bytes.count { $0 == UInt8(ascii: "\n") }
            guard bytes[0] == UInt8(ascii: "*") else { return true }
            let count = bytes.dropFirst().prefix { $0 != UInt8(ascii: "\r") }.reduce(0) { $0 * 10 + Int($1) - 48 }
            return lines == 1 + 2 * count
        }
    }
}
