internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange

/// Many questions at once, each answered as its own `GET` would be.
struct QueryRoutes {
    /// How long one picture is read: a commit that wants to be seen waits for it.
    private static let patience = Duration.milliseconds(5)
    /// Nor does a question begin in a picture in which so many steps were taken: it may need a whole reading.
    private static let little = Effort.reading / 10

    /// How many areas of the most vertices the queries of a batch may have together.
    private static let mostAreas = 10

    let live: Live
    /// Each query counts as a request of its own.
    let rateLimits: RateLimits
    let questions: [(route: QuestionRoute, read: QuestionRoute.Reader)]

    func add(to routes: inout RouteTable) {
        routes.chapter = "Batches"
        let words = Set(questions.map(\.route.member)).sorted().joined(separator: ", ")
        let query = Schema.anything.described(
            "An object that says what is asked (\(words)), and the parameters of the `GET`")
        let queries = Schema.form(["queries": .list(of: query, atMost: 1000)], required: ["queries"])
        let answers = Schema.object(["answers": .list(of: .map(of: .anything))], required: ["answers"])
        routes.on(
            .post, "/v1/query", for: .known,
            .init(
                "Asks many questions at once", takes: .json(queries.named("Queries")),
                answers: .ok(answers.named("Answers")), problems: [.batchTooLarge, .answerTooLarge], work: .long), ask)
    }

    @Sendable private func ask(_ call: Call) async throws -> Answer {
        let queries = try Self.queries(try await call.json(), atMost: call.limits.queries)
        var asked: [Result<Question, Problem>] = []
        var vertices = 0
        for (index, query) in queries.enumerated() {
            asked.append(try await question(query, index, call, &vertices))
        }
        let answers = try await answers(to: asked, call)
        var answer = Answer.object { json in
            json.member("answers") { json in json.list(answers) { $0.value(written: $1) } }
        }
        answer.answersQuestions = true
        return answer.unstored
    }

    private static func queries(_ json: JSON, atMost most: Int) throws(FormError) -> [JSON] {
        let queries: [JSON] = try Fields.read(json) { fields in
            fields.require("queries")
            guard let value = fields.json("queries") else { return nil }
            if case .list(let items) = value { return items }
            fields.mistyped("queries", value, "a list of queries")
            return nil
        }
        guard queries.count <= most else {
            throw FormError(.batchTooLarge, detail: "At most \(most) queries are answered together.")
        }
        return queries
    }

    /// Reads the parameters of a query.
    ///
    /// - Throws: what is no fault of the query's.
    private func question(
        _ query: JSON, _ index: Int, _ call: Call, _ vertices: inout Int
    ) async throws -> Result<Question, Problem> {
        try await Self.faults {
            if index > 0, let claim = call.claim { try rateLimits.admitQuery(claim.bearer, at: call.received) }
            let query = try BatchQuery(query, at: "/queries/\(index)", of: questions.map(\.route))
            vertices += query.vertices
            guard query.vertices == 0 || vertices <= Self.mostAreas * call.limits.vertices else {
                throw Problem(
                    .batchTooLarge,
                    detail: "The areas of the queries up to this one have \(vertices) vertices together: "
                        + "ask the rest in another request.")
            }
            return try await questions[query.number].read(query.call(on: call))
        }
    }

    /// The answers in order: from one picture, or from later ones when reading that takes too long.
    private func answers(to questions: [Result<Question, Problem>], _ call: Call) async throws -> [[UInt8]] {
        var answers: [[UInt8]] = []
        var size = 0
        var rest = questions[...]
        func goOn() throws {
            for finding in try look(for: &rest) {
                let answer = try Self.faults { () throws -> Answer in
                    guard size <= call.limits.answers else {
                        throw Problem(
                            .answerTooLarge,
                            detail: "The answers before this one have \(size) bytes: ask the rest in another request.")
                    }
                    return try finding.get()()
                }
                answers.append(Self.bytes(answer, call))
                size += answers.last?.count ?? 0
            }
        }
        try goOn()
        if rest.isEmpty { return answers }
        return try await Aside.run {
            while !rest.isEmpty {
                try Task.checkCancellation()
                try goOn()
                await Task.yield()
            }
            return answers
        }
    }

    /// What is found for the first questions; of one that has more parts then, the next are looked at in a later picture.
    private func look(
        for rest: inout ArraySlice<Result<Question, Problem>>
    ) throws -> [Result<Question.Finding, Problem>] {
        try live.read { picture in
            let end = ContinuousClock.now + Self.patience
            var found: [Result<Question.Finding, Problem>] = []
            var taken = 0
            repeat {
                guard let question = rest.first else { break }
                let (look, steps) = try Effort.measure { try Self.faults { try question.get().look(picture) } }
                taken += steps
                switch look {
                case .success(nil): continue
                case .success(let finding?): found.append(.success(finding))
                case .failure(let problem): found.append(.failure(problem))
                }
                rest.removeFirst()
            } while taken < Self.little && ContinuousClock.now < end
            return found
        }
    }

    private static func bytes(_ answer: Result<Answer, Problem>, _ call: Call) -> [UInt8] {
        switch answer {
        case .success(let answer): answer.body
        case .failure(let problem): problem.body(instance: call.instance)
        }
    }

    /// What `body` returns, or the problem that it throws, unless it is the service's own: then nothing is answered.
    private static func faults<Value>(_ body: () throws -> Value) throws -> Result<Value, Problem> {
        do { return .success(try body()) } catch { return .failure(try fault(error)) }
    }

    private static func faults<Value: Sendable>(_ body: () async throws -> Value) async throws -> Result<Value, Problem>
    {
        do { return .success(try await body()) } catch { return .failure(try fault(error)) }
    }

    private static func fault(_ error: any Error) throws -> Problem {
        let problem = Problem(error)
        guard problem.status.kind != .serverError else { throw error }
        return problem
    }
}
