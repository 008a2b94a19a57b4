internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange

/// A batch of queries, each answered like its own `GET`.
struct QueryRoutes {
    /// How long one snapshot of the state is read, because a commit waits for it to publish.
    private static let turnDuration = Duration.milliseconds(5)
    /// No query begins in a snapshot after this many steps, because it may need the whole budget of a read.
    private static let little = WorkBudget.stepsPerRead / 10

    /// The most vertices of a batch's areas together, as a multiple of the limit for one area.
    private static let mostAreas = 10

    let engine: Engine
    /// Counts each query as a request of its own.
    let rateLimits: RateLimits
    let queryRoutes: [(route: QueryRoute, read: QueryRoute.Reader)]

    func add(to routes: inout RouteTable) {
        routes.chapter = "Batches"
        let words = Set(queryRoutes.map(\.route.member)).sorted().joined(separator: ", ")
        let query = Schema.map(of: .anything).described(
            "An object with the query (\(words)) and the parameters of the `GET`")
        let queries = Schema.form(["queries": .list(of: query, atMost: 1000)], required: ["queries"])
        let answers = Schema.object(["answers": .list(of: .map(of: .anything))], required: ["answers"])
        routes.on(
            .post, "/v1/query", for: .known,
            .init(
                "Runs many queries at once", as: "runQueries", takes: .json(queries.named("Queries")),
                answers: .ok(answers.named("Answers")), problems: [.batchTooLarge, .answerTooLarge], onlyReads: true,
                work: .long), ask)
    }

    @Sendable private func ask(_ call: Call) async throws -> Answer {
        let queries = try Self.queries(try await call.json(), atMost: call.limits.queries)
        var asked: [Result<Query, Problem>] = []
        var vertices = 0
        for (index, query) in queries.enumerated() {
            asked.append(try await question(query, index, call, &vertices))
        }
        let answers = try await answers(to: asked, call)
        var answer = Answer.object { json in
            json.member("answers") { json in json.list(answers) { $0.value(written: $1) } }
        }
        answer.isCompressible = true
        return answer.unstored
    }

    private static func queries(_ json: JSON, atMost most: Int) throws(FormError) -> [JSON] {
        let queries: [JSON] = try Fields.read(json) { fields in
            fields.require("queries")
            guard let value = fields.json("queries") else { return nil }
            if case .list(let items) = value { return items }
            fields.mistyped("queries", value, "an array of queries")
            return nil
        }
        guard queries.count <= most else {
            throw FormError(.batchTooLarge, detail: "At most \(most) queries are answered together.")
        }
        return queries
    }

    /// Parses a query.
    ///
    /// - Throws: Errors that are not the query's fault.
    private func question(
        _ query: JSON, _ index: Int, _ call: Call, _ vertices: inout Int
    ) async throws -> Result<Query, Problem> {
        try await Self.faults {
            if index > 0, let claim = call.claim { try rateLimits.admitQuery(claim.bearer, at: call.received) }
            let query = try BatchQuery(query, at: "/queries/\(index)", of: queryRoutes.map(\.route))
            vertices += query.vertices
            guard query.vertices == 0 || vertices <= Self.mostAreas * call.limits.vertices else {
                throw Problem(
                    .batchTooLarge,
                    detail: "The areas of the queries up to this one have \(vertices) vertices together: "
                        + "send the rest in another request.")
            }
            return try await queryRoutes[query.number].read(query.call(on: call))
        }
    }

    /// The answers in order, from one snapshot of the state, or from later ones if that takes too long.
    private func answers(to queryRoutes: [Result<Query, Problem>], _ call: Call) async throws -> [[UInt8]] {
        var answers: [[UInt8]] = []
        var size = 0
        var rest = queryRoutes[...]
        func goOn() throws {
            for finding in try look(for: &rest) {
                let answer = try Self.faults { () throws -> Answer in
                    guard size <= call.limits.answers else {
                        throw Problem(
                            .answerTooLarge,
                            detail: "The answers before this one have \(size) bytes: send the rest in another request.")
                    }
                    return try finding.get()()
                }
                answers.append(Self.bytes(answer, call))
                size += answers.last?.count ?? 0
            }
        }
        try goOn()
        if rest.isEmpty { return answers }
        return try await BackgroundExecutor.run {
            while !rest.isEmpty {
                try Task.checkCancellation()
                try call.requireClient()
                try goOn()
                await Task.yield()
            }
            return answers
        }
    }

    /// The results of the first queries; one with further parts continues in a later snapshot.
    private func look(
        for rest: inout ArraySlice<Result<Query, Problem>>
    ) throws -> [Result<Query.QueryResult, Problem>] {
        try engine.read { state in
            let end = ContinuousClock.now + Self.turnDuration
            var found: [Result<Query.QueryResult, Problem>] = []
            var taken = 0
            repeat {
                guard let question = rest.first else { break }
                let (look, steps) = try WorkBudget.measure { try Self.faults { try question.get().look(state) } }
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

    /// The result of `body`, or the problem that it throws; a server error is rethrown and fails the batch.
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
