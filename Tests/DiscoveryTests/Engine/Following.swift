import Discovery
import Foundation
import Model
import Storage
import TestSupport

func openFollower(_ folder: URL, _ log: ListedLog?, longestLogRow: Int = 256 << 10) throws -> TestEngine {
    try TestEngine(folder: folder, rules: PingRules(), longestLogRow: longestLogRow, log: log)
}

/// Lets nodes follow the log to its end while the body runs.
func following(_ log: ListedLog, _ all: TestEngine..., while body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for one in all {
            group.addTask { try await follow(log, one.engine) }
        }
        try await body()
        for one in all {
            while one.engine.logProgress?.number != log.count { try await Task.sleep(for: .milliseconds(1)) }
        }
        group.cancelAll()
        while await group.nextResult() != nil {}
    }
}

/// Follows the log until the task is canceled.
func follow(_ log: ListedLog, _ engine: Engine) async throws {
    while !Task.isCancelled {
        let next = log.entries(after: engine.logProgress?.number ?? 0)
        if next.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
        try await engine.follow(next, at: next.last?.time ?? morning)
    }
}

/// The state of a node, without its log of pings and recently deleted people, which may differ between nodes.
func accounts(_ one: TestEngine) -> [String] {
    let own = ["uncompacted", "loggedSuspects", "recently deleted"]
    return one.engine.draftDump.filter { line in !own.contains { line.hasPrefix($0) } }
}
