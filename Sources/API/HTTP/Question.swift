internal import Discovery

/// What a request that only reads wants to know: its parameters are read, and nothing is looked up yet.
///
/// So one picture can answer many, and no picture is held while JSON is written.
struct Question: Sendable {
    /// What was found, written once the picture is let go.
    typealias Finding = () throws -> Answer

    /// Looks it up.
    let look: @Sendable (borrowing Picture) throws -> Finding

    init(_ look: @escaping @Sendable (borrowing Picture) throws -> Finding) { self.look = look }

    /// One that the past has answered already.
    init(answer: Answer) { look = { _ in { answer } } }

    /// The answer as things are now.
    func answer(from live: Live) throws -> Answer {
        try live.read { picture in try look(picture) }()
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
    var parameters: [String] = []
    var repeatable: Set<String> = []

    /// The member that holds the id in the path; nil where there is none.
    var idMember: String? { path.contains("{") ? (word == nil ? member : "person") : nil }
}
