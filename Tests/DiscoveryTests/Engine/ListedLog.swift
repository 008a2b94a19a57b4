import Discovery
import Model
import Storage
import Synchronization
import TestSupport

/// A replicated log in memory.
final class ListedLog: ActionLog {
    let identity: String
    let longest: Int
    /// Whether writes are not answered.
    let fails = Atomic(false)
    private let entries = Mutex<[LogMessage]>([])
    /// The time of the log, or nil to use the time at which the writer received the actions.
    let clock = Mutex<Timestamp?>(nil)

    init(_ identity: String = "list", longest: Int = 1_000_000) { (self.identity, self.longest) = (identity, longest) }

    func publish(_ message: [UInt8], named name: String) async throws {
        guard !fails.load(ordering: .relaxed) else { throw StorageError.unanswered }
        let received = try LogEntries(message).actions().map(\.received).max()
        let time = clock.withLock { $0 } ?? received ?? morning
        entries.withLock { $0.append(LogMessage(UInt64($0.count + 1), message, at: time)) }
    }

    var all: [LogMessage] { entries.withLock(\.self) }
    var count: UInt64 { UInt64(all.count) }

    func entries(after number: UInt64) -> [LogMessage] {
        entries.withLock { Array($0.dropFirst(Int(number)).prefix(3)) }
    }
}
