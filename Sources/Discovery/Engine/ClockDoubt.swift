internal import Model
internal import Synchronization

/// The error of the wall clock, shared by all copies of the state: visibility is checked by both clocks.
final class ClockDoubt: Sendable {
    private let milliseconds = Atomic<Int64>(0)

    /// Sets the lead of the wall clock, negative if it is behind; zero if it is trusted.
    func set(_ lead: Duration) { milliseconds.store(lead.milliseconds, ordering: .relaxed) }

    /// The corrected time when the wall clock shows `now`; nil if the two agree.
    func other(_ now: Timestamp) -> Timestamp? {
        let lead = milliseconds.load(ordering: .relaxed)
        return lead == 0 ? nil : now - .milliseconds(lead)
    }
}
