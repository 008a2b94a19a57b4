#if Cluster
    import Cluster
    import Foundation
    import Synchronization
    import Testing

    /// The positions of acknowledged messages, by name.
    private final class Positions: Sendable { let names = Mutex<[String: UInt64]>([:]) }

    /// A log on real servers.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct CommandLogTests {
        @Test("Published messages are read in order, and a repeated name returns its position")
        func order() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                let log = try await servers.open(trial())
                var positions: [UInt64] = []
                for number in 0..<600 {
                    positions.append(try await log.publish(Array("\(number)".utf8), named: "m\(number)"))
                }
                #expect(positions == Array(1...600))
                let messages = try await read(log, from: 101, count: 500)
                #expect(messages.map(\.position) == Array(101...600))
                #expect(messages.map { String(decoding: $0.bytes, as: UTF8.self) } == (100..<600).map { "\($0)" })
                #expect(messages.last?.behind == 0)
                #expect(try await log.publish([1], named: "m5") == 6, "it is there already")
                #expect(try await log.bounds() == (1, 600))
            }
        }

        @Test("A message of the maximum length is kept, and a longer one is refused") func longest() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                let log = try await servers.open(trial())
                let long = (0..<CommandLog.longest).map { UInt8(truncatingIfNeeded: $0 / 3) }
                for name in 0..<20 { _ = try await log.publish(long, named: "\(name)") }
                let messages = try await read(log, count: 20)
                #expect(messages.map(\.bytes) == Array(repeating: long, count: 20))
                await #expect(throws: LogError.tooLong(CommandLog.longest + 1)) {
                    try await log.publish(long + [0], named: "longer")
                }
            }
        }

        @Test("Reading dropped messages or past the end of the log fails") func bounds() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                var settings = trial()
                settings.most = 100_000
                let log = try await servers.open(settings)
                for name in 0..<20 { _ = try await log.publish([UInt8](repeating: 1, count: 10_000), named: "\(name)") }
                let first = try await log.bounds().first
                #expect(first > 1)
                await #expect(throws: LogError.dropped(first: first)) { _ = try await read(log, count: 1) }
                await #expect(throws: LogError.shorter(last: 20)) { _ = try await read(log, from: 22, count: 1) }
                #expect(try await read(log, from: first, count: 1).first?.position == first)
            }
        }

        @Test("A reader resumes when its server restarts") func reconnect() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                let log = try await servers.open(trial())
                var reader = LogReader(log, from: 1)
                _ = try await log.publish([1], named: "a")
                #expect(try await reader.read(within: hangLimit).map(\.position) == [1])
                servers.kill(0)
                try servers.start(0)
                _ = try await log.publish([2], named: "b")
                #expect(try await reader.read(within: hangLimit).map(\.position) == [2])
            }
        }

        @Test("No acknowledged message is lost when the leader is killed") func leaderKilled() async throws {
            try await withFolder { folder in
                let servers = try Servers(3, in: folder)
                let log = try await servers.open(LogSettings())
                #expect(log.unsafeties == [])
                let acknowledged = Positions()
                let (writers, each) = (4, 150)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<writers {
                        group.addTask {
                            for number in 0..<each {
                                let name = "w\(writer)-\(number)"
                                let position = try await publish(name, to: log)
                                acknowledged.names.withLock { $0[name] = position }
                            }
                        }
                    }
                    group.addTask {
                        for round in 1...3 {
                            while acknowledged.names.withLock(\.count) < round * 100 {
                                try await Task.sleep(for: .milliseconds(5))
                            }
                            let leader = try await leader(of: log)
                            servers.kill(leader)
                            let count = acknowledged.names.withLock(\.count)
                            // The others make progress before the leader restarts, if there is anything left to write.
                            let enough = min(count + 20, writers * each)
                            while acknowledged.names.withLock(\.count) < enough {
                                try await Task.sleep(for: .milliseconds(5))
                            }
                            try servers.start(leader)
                        }
                    }
                    try await group.waitForAll()
                }
                let messages = try await read(log, count: writers * each)
                servers.kill(try await leader(of: log))
                let again = try await read(log, count: writers * each)
                #expect(again.map(\.time) == messages.map(\.time), "another server tells the same times")
                #expect(messages.map(\.position) == Array(1...UInt64(writers * each)), "none lost, none doubled")
                let found = Dictionary(
                    messages.map { (String(decoding: $0.bytes, as: UTF8.self), $0.position) },
                    uniquingKeysWith: { _, new in new })
                #expect(found == acknowledged.names.withLock(\.self), "each is where it was said to be")
            }
        }

        /// Publishes until the message is acknowledged.
        private func publish(_ name: String, to log: CommandLog) async throws -> UInt64 {
            let end = ContinuousClock.now + hangLimit
            while true {
                do throws(LogError) { return try await log.publish(Array(name.utf8), named: name) } catch {
                    guard error == .unanswered, ContinuousClock.now < end else { throw error }
                }
            }
        }

        private func leader(of log: CommandLog) async throws -> Int {
            let end = ContinuousClock.now + hangLimit
            while ContinuousClock.now < end {
                if let name = try await log.leader() { return try #require(Int(name.dropFirst())) }
                // An election is under way.
                try await Task.sleep(for: .milliseconds(100))
            }
            throw LogError.unanswered
        }

        @Test("A minority of servers acknowledges nothing") func minority() async throws {
            try await withFolder { folder in
                let servers = try Servers(3, in: folder)
                var settings = LogSettings()
                settings.timeout = .seconds(4)
                let log = try await servers.open(settings)
                _ = try await publish("a", to: log)
                for number in 1...2 { servers.kill(number) }
                await #expect(throws: LogError.unanswered) { _ = try await log.publish([1], named: "b") }
                for number in 1...2 { try servers.start(number) }
                #expect(try await publish("c", to: log) >= 2)
            }
        }

        @Test("Connections are encrypted, and servers are authenticated") func encryption() async throws {
            try await withFolder { folder in
                let openssl = Process()
                openssl.executableURL = URL(filePath: "/usr/bin/openssl")
                openssl.currentDirectoryURL = folder
                openssl.standardError = FileHandle.nullDevice
                openssl.arguments = [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                    "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                    "subjectAltName=IP:127.0.0.1",
                ]
                try openssl.run()
                openssl.waitUntilExit()
                let servers = try Servers(1, in: folder, tls: true)
                let log = try await servers.open(trial())
                #expect(try await log.publish([1], named: "a") == 1)
                var others = servers.log
                others.authority = nil
                await #expect(throws: LogError.self) { _ = try await CommandLog.open(trial(), on: others) }
            }
        }

        @Test("A wrong password is refused") func wrongPassword() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                _ = try await servers.open(trial())
                var others = servers.log
                let wrong = folder.appending(path: "wrong")
                try "cerca:wrong\n".write(to: wrong, atomically: true, encoding: .utf8)
                others.credentials = wrong.path
                await #expect(throws: LogError.self) { _ = try await CommandLog.open(trial(), on: others) }
                others.credentials = folder.appending(path: "none").path
                await #expect(throws: LogError.file(folder.appending(path: "none").path)) {
                    _ = try await CommandLog.open(trial(), on: others)
                }
            }
        }
    }
#endif
