import Discovery
import Model
import Storage
import Synchronization
import TestSupport

/// A log that is a list.
final class ListedLog: ActionLog {
    let identity: String
    let longest: Int
    /// Whether it does not answer.
    let fails = Atomic(false)
    private let entries = Mutex<[LogEntry]>([])
    /// What the clock of the log shows; nil for what that shows of who wrote last.
    let clock = Mutex<Timestamp?>(nil)

    init(_ identity: String = "list", longest: Int = 1_000_000) { (self.identity, self.longest) = (identity, longest) }

    func publish(_ message: [UInt8], named name: String) async throws {
        guard !fails.load(ordering: .relaxed) else { throw StorageError.unanswered }
        let received = try LoggedActions(message).actions().map(\.received).max()
        let time = clock.withLock { $0 } ?? received ?? morning
        entries.withLock { $0.append(LogEntry(UInt64($0.count + 1), message, at: time)) }
    }

    var all: [LogEntry] { entries.withLock(\.self) }
    var count: UInt64 { UInt64(all.count) }

    func entries(after number: UInt64) -> [LogEntry] { entries.withLock { Array($0.dropFirst(Int(number)).prefix(3)) } }
}
