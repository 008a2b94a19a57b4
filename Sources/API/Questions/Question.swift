internal import Discovery
internal import Synchronization

/// What a request that only reads wants to know: its parameters are read, and nothing is looked up yet.
///
/// So one picture can answer many, and no picture is held while JSON is written.
struct Question: Sendable {
    /// What was found, written once the picture is let go.
    typealias Finding = () throws -> Answer

    /// Looks it up, or the next part of it; nil while more parts are left.
    let look: @Sendable (borrowing Picture) throws -> Finding?
    /// How the search went, of a question that tells that.
    let course: @Sendable () -> SearchCourse?

    /// One that is answered at the first look.
    init(_ look: @escaping @Sendable (borrowing Picture) throws -> Finding) { self.init(look) { nil } }

    init(
        _ look: @escaping @Sendable (borrowing Picture) throws -> Finding?,
        course: @escaping @Sendable () -> SearchCourse?
    ) {
        (self.look, self.course) = (look, course)
    }

    /// One whose answer is looked for in parts, each in the picture as it is then, until `look` returns true.
    init<Search: Sendable>(
        _ search: Search, look: @escaping @Sendable (inout Search, borrowing Picture) throws -> Bool,
        course: @escaping @Sendable (Search) -> SearchCourse? = { _ in nil },
        answer: @escaping @Sendable (Search) throws -> Answer
    ) {
        let search = Parts(search)
        self.course = { search.state.withLock { course($0) } }
        self.look = { picture in
            guard try search.state.withLock({ try look(&$0, picture) }) else { return nil }
            return { try answer(search.state.withLock { $0 }) }
        }
    }

    init<Search: SearchInParts>(_ search: Search, answer: @escaping @Sendable (Search) throws -> Answer) {
        self.init(search, look: { try $0.look(at: $1) }, course: { $0.course }, answer: answer)
    }

    /// One that the past has answered already.
    init(answer: Answer) { self.init({ _ in { answer } }) }

    /// The answer as things are now.
    func answer(from live: Live) async throws -> Answer {
        try await live.readInParts { picture in try look(picture) }()
    }

    /// How far a search has come; a question is asked by one task at a time.
    private final class Parts<Search: Sendable>: Sendable {
        let state: Mutex<Search>

        init(_ search: Search) { state = Mutex(search) }
    }
}

/// A route that asks a question, and how a batch names it: `{"nearest":"places"}`, or `{"position":"ana"}` for one with an id.
struct QuestionRoute: Sendable {
    typealias Reader = @Sendable (Call) async throws -> Question

    /// The member that says what is asked.
    let member: String
    /// Its value; nil where the value is the id in the path.
    var word: String?
    /// With at most one name in braces.
    let path: String
    let access: Access
    var description: RouteDescription
    /// What may change the answer, of a list that can be followed.
    var watched: (@Sendable (Call) throws -> EventWatch.Subject)?

    /// The member that holds the id in the path; nil where there is none.
    var idMember: String? { path.contains("{") ? (word == nil ? member : "person") : nil }
}
