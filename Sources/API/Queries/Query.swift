internal import Discovery
internal import Synchronization

/// A read-only query with its parameters parsed, not executed yet.
///
/// So one snapshot of the state can answer many queries, and no snapshot is held while JSON is written.
struct Query: Sendable {
    /// A query result, which is encoded after the snapshot is released.
    typealias QueryResult = () throws -> Answer

    /// Executes the query, or its next part; nil while parts remain.
    let look: @Sendable (borrowing LiveState) throws -> QueryResult?
    /// The trace of the search, if the query has one.
    let course: @Sendable () -> QueryTrace?

    /// A query that is executed in one part.
    init(_ look: @escaping @Sendable (borrowing LiveState) throws -> QueryResult) { self.init(look) { nil } }

    init(
        _ look: @escaping @Sendable (borrowing LiveState) throws -> QueryResult?,
        course: @escaping @Sendable () -> QueryTrace?
    ) {
        (self.look, self.course) = (look, course)
    }

    /// A query that is executed in parts, each in the current snapshot, until `look` returns true.
    init<Search: Sendable>(
        _ search: Search, look: @escaping @Sendable (inout Search, borrowing LiveState) throws -> Bool,
        course: @escaping @Sendable (Search) -> QueryTrace? = { _ in nil },
        answer: @escaping @Sendable (Search) throws -> Answer
    ) {
        let search = Parts(search)
        self.course = { search.state.withLock { course($0) } }
        self.look = { state in
            guard try search.state.withLock({ try look(&$0, state) }) else { return nil }
            return { try answer(search.state.withLock { $0 }) }
        }
    }

    init<Search: SearchInParts>(_ search: Search, answer: @escaping @Sendable (Search) throws -> Answer) {
        self.init(search, look: { try $0.look(at: $1) }, course: { $0.course }, answer: answer)
    }

    /// A query whose answer is already known, from history.
    init(answer: Answer) { self.init({ _ in { answer } }) }

    /// The answer to a call from the current state.
    ///
    /// - Throws: ``AbandonedRequest`` or ``BrokenBody`` after the part during which the client left.
    func answer(to call: Call, from engine: Engine) async throws -> Answer {
        var isFirst = true
        return try await engine.readInParts { state in
            if !isFirst { try call.requireClient() }
            isFirst = false
            return try look(state)
        }()
    }

    /// The progress of a search; a query is executed by one task at a time.
    private final class Parts<Search: Sendable>: Sendable {
        let state: Mutex<Search>

        init(_ search: Search) { state = Mutex(search) }
    }
}

/// A query's route, and its form in a batch: `{"nearest":"places"}`, or `{"position":"ana"}` for one with an id.
struct QueryRoute: Sendable {
    typealias Reader = @Sendable (Call) async throws -> Query

    /// The member that selects the route.
    let member: String
    /// Its value; nil if the value is the id in the path.
    var word: String?
    /// The path, with at most one parameter.
    let path: String
    let access: Access
    var description: RouteDescription
    /// The events that may change the answer; nil for a list that cannot be followed.
    var watched: (@Sendable (Call) throws -> EventWatch.Subject)?

    /// The member that holds the id in the path; nil if the path has none.
    var idMember: String? { path.contains("{") ? (word == nil ? member : "person") : nil }
}

extension Call {
    /// - Throws: ``BrokenBody`` if the client has left; ``AbandonedRequest`` if it closed its side some time ago.
    func requireClient() throws {
        try requireConnection()
        guard LoopExecutor.current?.isAwaited ?? true else { throw AbandonedRequest() }
    }
}

/// The error of a search or batch whose client closed its side of the connection and has probably left.
struct AbandonedRequest: Error {}
