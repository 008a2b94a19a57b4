internal import Geo
internal import Model
internal import Storage
internal import Synchronization

/// A part of an action on its way through the writer: who wants it, what it does there, and who is told.
struct Turn: Sendable {
    let caller: Caller
    var received: Timestamp
    /// The instants between which it was received, however wrong the clock.
    var moment: ClosedRange<Timestamp>
    /// The time of its events, which a clock that jumps does not move.
    var told: Timestamp
    /// As ``Action/weight``.
    let weight: Int
    /// The same as a log holds it; nil where no log is followed, and of what came out of one.
    let logged: LoggedAction?
    /// Under which lease of a log it is done, if it is what one machine does for all.
    let lease: UInt64?
    /// Whether other machines do the same, so that what it does must not follow from the form of this one's file.
    let isShared: Bool
    /// What its work is counted into.
    ///
    /// A person is charged a price before, and not for the work: how much that is depends on fences, alerts and blocks of
    /// others too.
    let tally: Tally?
    /// What a person is charged for each unit of ``Action/weight``, which follows from what the person sent alone, in steps.
    static let price = 200
    /// Does it on a draft, unless it is refused; again on another draft if the first was thrown away.
    let carryOut: @Sendable (inout Draft) throws -> Void
    /// Tells that it was made durable, or was not.
    let settle: @Sendable (StorageError?) -> Void

    /// The parts of an action in order, received at an instant that by what is believed of the clock was another.
    static func parts<A: Action>(
        of cut: Cut<A>, by caller: Caller, at received: Timestamp, trust: ClockTrust, of party: Party,
        following: FollowedLog?, _ continuation: CheckedContinuation<[A.Outcome], any Error>
    ) -> [Turn] {
        let done = PartsDone(cut.parts.count, continuation)
        let certain = trust.certain ?? received
        // Machines that follow a log have the log's clock in common.
        let told = following == nil ? trust.stamp(received) : received
        let moment = min(received, certain)...max(received, certain)
        let lease = party == .maintenance ? following?.lease : nil
        let tally = caller == .service ? Tally.current : Tally.uncharged()
        return cut.parts.enumerated().map { index, part in
            let logged = following.map { _ in
                LoggedAction(part, by: caller, at: received, in: moment, under: lease)
            }
            return Turn(
                caller: caller, received: received, moment: moment, told: told, weight: part.weight, logged: logged,
                lease: lease, isShared: following != nil, tally: tally
            ) { draft in
                do {
                    done.note(.success(try part.carryOut(on: &draft)), of: index)
                } catch let refusal as Refusal { done.note(.failure(refusal), of: index) }
            } settle: { error in
                done.settle(index, error)
            }
        }
    }
}

extension Turn {
    /// What another machine, or an earlier start of this one, wants to be done.
    init(_ logged: LoggedAction) { self.init(logged, logged.action) }

    private init(_ logged: LoggedAction, _ action: some Action) {
        self.init(
            caller: logged.caller, received: logged.received, moment: logged.moment, told: logged.received,
            weight: action.weight, logged: nil, lease: logged.lease, isShared: true, tally: nil
        ) { draft in
            do { _ = try action.carryOut(on: &draft) } catch is Refusal {}
        } settle: { _ in
        }
    }
}

/// What the parts of an action did, for who waits until all have been settled.
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

    /// Takes note of what a part did on the draft, in place of what it did on one that was thrown away.
    func note(_ result: Result<Outcome, any Error>, of part: Int) { state.withLock { $0.outcomes[part] = result } }

    /// Takes note of the end of a part; after the last, whoever waits is told all outcomes, or the first error.
    func settle(_ part: Int, _ error: StorageError?) {
        let whole: Result<[Outcome], any Error>? = state.withLock { state in
            if let error { state.outcomes[part] = .failure(error) }
            state.left -= 1
            guard state.left == 0 else { return nil }
            return Result { try state.outcomes.compactMap { try $0?.get() } }
        }
        if let whole { continuation.resume(with: whole) }
    }
}
