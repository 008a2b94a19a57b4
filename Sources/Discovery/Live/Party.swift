internal import Synchronization

/// Who takes turns with others at the writer.
enum Party: Hashable {
    /// A person with all devices, or the trusted services.
    case caller(Caller)
    /// What the service does by itself, such as deleting what has been kept long enough.
    case upkeep

    /// How much it does at the writer before others have their turn: services, who speak for many, more than others.
    var turn: Int { self == .caller(.service) ? 8 * Action.turn : Action.turn }

    /// Whether it hands in more when so much of its own, and so much of all, waits for the writer.
    ///
    /// Nobody who has nothing there is refused for what others handed in.
    func mayWait(behind own: Int, of all: Int, _ capacity: Live.Capacity) -> Bool {
        switch self {
        case .upkeep: true  // it does one thing after the other
        case .caller(.service): own <= capacity.queue
        case .caller(.person): own == 0 || own <= capacity.person && all <= capacity.queue
        }
    }
}

/// What the parts of a command did, for who waits until all have been settled.
final class PartsDone: Sendable {
    private struct State {
        var outcomes: [Outcome] = []
        var error: (any Error)?
        var left: Int
    }

    private let state: Mutex<State>
    private let continuation: CheckedContinuation<[Outcome], any Error>

    init(_ count: Int, _ continuation: CheckedContinuation<[Outcome], any Error>) {
        state = Mutex(State(left: count))
        self.continuation = continuation
    }

    /// Takes note of the next part; after the last, whoever waits is told all outcomes, or the first error.
    func settle(_ result: Result<Outcome, any Error>) {
        let whole: Result<[Outcome], any Error>? = state.withLock { state in
            switch result {
            case .success(let outcome): state.outcomes.append(outcome)
            case .failure(let error): state.error = state.error ?? error
            }
            state.left -= 1
            guard state.left == 0 else { return nil }
            return state.error.map { .failure($0) } ?? .success(state.outcomes)
        }
        if let whole { continuation.resume(with: whole) }
    }
}
