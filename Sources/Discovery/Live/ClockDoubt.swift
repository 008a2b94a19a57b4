internal import Model
internal import Synchronization

/// By how much the wall clock is off, for all copies of the picture: what may be shown is asked by both clocks.
final class ClockDoubt: Sendable {
    private let milliseconds = Atomic<Int64>(0)

    /// Takes note of by how much the wall clock is ahead, negative if it is behind; zero if it is not doubted.
    func set(_ lead: Duration) { milliseconds.store(lead.milliseconds, ordering: .relaxed) }

    /// What the other clock shows when the wall clock shows `now`; nil if they agree.
    func other(_ now: Timestamp) -> Timestamp? {
        let lead = milliseconds.load(ordering: .relaxed)
        return lead == 0 ? nil : now - .milliseconds(lead)
    }
}
