import Discovery
import Foundation
import Model
import Storage
import Synchronization
import TestSupport
import Testing

/// Consistency checks between nodes that follow the same log.
@Suite struct ComparisonTests {
    /// Nodes with the same file, except for a person whom only the last node has if it differs.
    private func machines(_ count: Int, in folder: URL, _ log: ListedLog, lastDiffers: Bool) async throws
        -> [TestEngine]
    {
        let folders = (0..<count).map { folder.appending(path: "\($0)") }
        try TestEngine(folder: folders[0]).store.close()
        for other in folders.dropFirst() { try FileManager.default.copyItem(at: folders[0], to: other) }
        if lastDiffers {
            let other = try TestEngine(folder: folders[count - 1])
            try await other.add(person("rex"))
            try other.store.close()
        }
        return try folders.map { try TestEngine(folder: $0, log: log) }
    }

    /// Lets nodes follow the log to its end and compare their states.
    ///
    /// - Returns: the fault that stopped each node, or nil.
    private func follow(_ log: ListedLog, _ all: [TestEngine]) async throws -> [LogEntries.Fault?] {
        var faults: [LogEntries.Fault?] = all.map { _ in nil }
        var isDone = false
        while !isDone {
            isDone = true
            for (index, one) in all.enumerated() where faults[index] == nil {
                let next = log.entries(after: one.engine.logProgress?.number ?? 0)
                isDone = isDone && next.isEmpty
                do throws(any Error) {
                    if let checkpoint = try await one.engine.follow(next, at: next.last?.time ?? morning) {
                        try await one.engine.compare(checkpoint)
                    }
                } catch let fault as LogEntries.Fault { faults[index] = fault }
            }
        }
        return faults
    }

    private func said(_ log: ListedLog) throws -> Int {
        try log.all.count { try LogEntries($0.bytes).heading.comparison != nil }
    }

    /// Sends a heartbeat of each node in each of the seconds, and lets the nodes follow.
    private func pulse(
        _ log: ListedLog, _ all: [TestEngine], at seconds: ClosedRange<Int>
    ) async throws -> [LogEntries.Fault?] {
        var faults: [LogEntries.Fault?] = all.map { _ in nil }
        for second in seconds {
            log.clock.withLock { $0 = morning + .seconds(second) }
            for one in all { try await one.engine.heartbeat() }
            for (index, fault) in try await follow(log, all).enumerated() { faults[index] = faults[index] ?? fault }
        }
        return faults
    }

    private let more = "people (1 rows, there 0), sharings (1 rows, there 0)"
    private let fewer = "people (0 rows, there 1), sharings (0 rows, there 1)"

    @Test("Nodes compare their states every hour and at each start") func schedule() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let all = try await machines(3, in: folder, log, lastDiffers: false)
            func counted(at second: Int) async throws -> Int {
                #expect(try await pulse(log, all, at: second...second) == [nil, nil, nil])
                return try said(log)
            }
            let atStart = try await counted(at: 0)
            #expect(atStart > 0)
            #expect(try await counted(at: 3599) == atStart)
            #expect(try await counted(at: 3600) == atStart + 3)
            #expect(try await counted(at: 3700) == atStart + 3)
            #expect(all.allSatisfy { $0.engine.logProgress?.difference == nil })
            for one in all { try one.store.close() }
        }
    }

    @Test("A node that differs from the majority stops following") func majority() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let all = try await machines(3, in: folder, log, lastDiffers: true)
            #expect(try await pulse(log, all, at: 0...0) == [nil, nil, nil])
            #expect(all.map { $0.engine.logProgress?.difference } == [fewer, fewer, more])
            #expect(try await pulse(log, all, at: 1...4) == [nil, nil, nil], "others may be there who say nothing yet")
            let number = try log.all.compactMap { try LogEntries($0.bytes).heading.comparison?.number }.max()
            #expect(try await pulse(log, all, at: 5...5) == [nil, nil, .differing(try #require(number), more)])
            #expect(all[0].engine.logProgress?.number == log.count)
            let rest = Array(all.prefix(2))
            #expect(try await pulse(log, rest, at: 6...10) == [nil, nil])
            #expect(all[0].engine.logProgress?.difference == fewer, "it is still there")
            #expect(try await pulse(log, rest, at: 11...11) == [nil, nil])
            #expect(all[0].engine.logProgress?.difference == nil, "those who are left agree")
            for one in all { try one.store.close() }
        }
    }

    @Test("A difference between two nodes stops neither") func twoNodes() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let all = try await machines(2, in: folder, log, lastDiffers: true)
            // After an hour without a message, the message of one node arrives first.
            for seconds in [0...6, 3600...3606, 3620...3626] {
                #expect(try await pulse(log, all, at: seconds) == [nil, nil])
                #expect(all.map { $0.engine.logProgress?.difference } == [fewer, more])
            }
            for one in all { try one.store.close() }
        }
    }

    /// Two of four nodes that agree are too few to stop a third.
    @Test("A node that has not compared counts while it is present") func silentNodes() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let all = try await machines(3, in: folder, log, lastDiffers: true)
            func others(_ count: UInt64) async throws {
                for origin in 0..<count {
                    let heading = LogEntries.Heading(origin: origin, number: 1)
                    try await log.publish(LogEntries.message(heading, with: [], longest: 100).bytes, named: "")
                }
            }
            #expect(try await pulse(log, all, at: 0...0) == [nil, nil, nil])
            for second in 1...6 {
                try await others(1)
                #expect(try await pulse(log, all, at: second...second) == [nil, nil, nil], "two of four")
            }
            #expect(try await pulse(log, all, at: 7...10) == [nil, nil, nil], "just still there")
            let faults = try await pulse(log, all, at: 11...11)
            #expect(faults[0] == nil && faults[1] == nil && faults[2] != nil, "two of three")
            for one in all { try one.store.close() }
        }
    }

    /// The states compared in the meantime are newer and different.
    @Test("A late comparison is ignored") func lateComparison() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let all = try await machines(3, in: folder, log, lastDiffers: false)
            func compareLate() async throws {
                log.clock.withLock { $0 = morning }
                try await all[0].engine.heartbeat()
                let slow = try #require(try await all[2].engine.follow(log.entries(after: 0), at: morning))
                #expect(try await follow(log, Array(all.prefix(2))) == [nil, nil])
                log.clock.withLock { $0 = morning + .seconds(3600) }
                async let adding: Void = all[0].add(person("ana"))
                while all.contains(where: { $0.engine.read { $0.counts.people } == 0 }) {
                    #expect(try await follow(log, all) == [nil, nil, nil])
                }
                try await adding
                try await all[2].engine.compare(slow)
            }
            try await compareLate()
            #expect(try await follow(log, all) == [nil, nil, nil])
            #expect(all.allSatisfy { $0.engine.logProgress?.difference == nil })
            for one in all { try one.store.close() }
        }
    }

    @Test("A node starts no comparison during another one") func ongoingComparison() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let one = try await machines(1, in: folder, log, lastDiffers: false)[0]
            func next(at second: Int) async throws -> Engine.Checkpoint? {
                log.clock.withLock { $0 = morning + .seconds(second) }
                try await one.engine.heartbeat()
                return try await one.engine.follow(log.entries(after: one.engine.logProgress?.number ?? 0), at: morning)
            }
            func compareFirst() async throws -> Bool {
                let first = try #require(try await next(at: 0))
                let isAnother = try await next(at: 3600) != nil
                try await one.engine.compare(first)
                return isAnother
            }
            #expect(try await !compareFirst())
            let goesOn = try await next(at: 7200) != nil
            #expect(goesOn)
            try one.store.close()
        }
    }
}
