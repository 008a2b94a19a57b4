internal import Geo
internal import Model
internal import Storage
internal import Synchronization

/// A part of an action on its way through the writer: its caller, its effect and its completion.
struct WorkItem: Sendable {
    let caller: Caller
    var received: Timestamp
    /// The earliest and the latest possible time of receipt, given the error of the clock.
    var moment: ClosedRange<Timestamp>
    /// The timestamp of its events, which does not follow a clock that jumps.
    var eventTime: Timestamp
    let weight: Int
    /// The action as a log entry; nil on a single node, and for an action that came out of a log.
    let logged: LogEntry?
    /// The lease of a cluster-wide maintenance action; nil for other actions.
    let lease: UInt64?
    /// Whether other nodes apply the action too, so that its effect must not depend on the form of this node's file.
    let isShared: Bool
    /// The counter that its work is counted into.
    ///
    /// A person pays a fixed price before, and not for the work, which also depends on the fences, alerts and blocks of
    /// others.
    let counter: WorkCounter?
    /// A person's charge per unit of ``Action/weight``, in work units; the weight depends only on what the person sent.
    static let price = 200
    /// Applies the action to a draft, unless it is refused; again on a new draft if the first was discarded.
    let execute: @Sendable (inout Draft) throws -> Void
    /// Completes the turn after its commit succeeded or failed.
    let complete: @Sendable (StorageError?) -> Void

    /// The turns of an action's parts, in order; `trust` corrects the time of receipt.
    static func parts<A: Action>(
        of cut: Chunks<A>, by caller: Caller, at received: Timestamp, trust: ClockTrust, of tenant: Tenant,
        replicatedLog: ReplicatedLog?, _ continuation: CheckedContinuation<[A.Outcome], any Error>
    ) -> [WorkItem] {
        let done = PartsDone(cut.parts.count, continuation)
        let certain = trust.certain ?? received
        // Nodes of a replicated log share the log's clock.
        let eventTime = replicatedLog == nil ? trust.stamp(received) : received
        let moment = min(received, certain)...max(received, certain)
        let lease = tenant == .maintenance ? replicatedLog?.lease : nil
        let counter = caller == .service ? WorkCounter.current : WorkCounter.uncharged()
        return cut.parts.enumerated().map { index, part in
            let logged = replicatedLog.map { _ in
                LogEntry(part, by: caller, at: received, in: moment, under: lease)
            }
            return WorkItem(
                caller: caller, received: received, moment: moment, eventTime: eventTime, weight: part.weight,
                logged: logged,
                lease: lease, isShared: replicatedLog != nil, counter: counter
            ) { draft in
                do {
                    done.note(.success(try part.apply(to: &draft)), of: index)
                } catch let refusal as Refusal { done.note(.failure(refusal), of: index) }
            } complete: { error in
                done.complete(index, error)
            }
        }
    }
}

extension WorkItem {
    /// A turn of another node, or of an earlier start of this one.
    init(_ logged: LogEntry) { self.init(logged, logged.action) }

    private init(_ logged: LogEntry, _ action: some Action) {
        self.init(
            caller: logged.caller, received: logged.received, moment: logged.moment, eventTime: logged.received,
            weight: action.weight, logged: nil, lease: logged.lease, isShared: true, counter: nil
        ) { draft in
            do { _ = try action.apply(to: &draft) } catch is Refusal {}
        } complete: { _ in
        }
    }
}

/// The outcomes of an action's parts, for the caller that waits until all of them are complete.
private final class PartsDone<Outcome: Sendable>: Sendable {
    private struct State {
        var outcomes: [Result<Outcome, any Error>?]
        var left: Int
    }

    private let state: Mutex<State>
    private let continuation: CheckedContinuation<[Outcome], any Error>

    init(_ count: Int, _ continuation: CheckedContinuation<[Outcome], any Error>) {
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), left: count))
        self.continuation = continuation
    }

    /// Records the outcome of a part, in place of an outcome on a draft that was discarded.
    func note(_ result: Result<Outcome, any Error>, of part: Int) { state.withLock { $0.outcomes[part] = result } }

    /// Completes a part; after the last one the caller gets all outcomes, or the first error.
    func complete(_ part: Int, _ error: StorageError?) {
        let whole: Result<[Outcome], any Error>? = state.withLock { state in
            if let error { state.outcomes[part] = .failure(error) }
            state.left -= 1
            guard state.left == 0 else { return nil }
            return Result { try state.outcomes.compactMap { try $0?.get() } }
        }
        if let whole { continuation.resume(with: whole) }
    }
}
