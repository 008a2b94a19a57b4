internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Synchronization

/// The execution trace of a query, as `explain` reports it.
struct Explanation: Sendable {
    static let parameter = Parameter.flag(
        "explain", "whether to explain how the answer was found, in the member `explain`; for services")

    /// The number of partial reads of the live state, and their work and duration.
    private var parts = 0
    private var steps = 0
    private var reading = Duration.zero

    /// Reads the query of a call, with an explanation of its answer if requested.
    ///
    /// - Throws: ``Problem`` for a person, because the amount of work reveals data hidden from them.
    static func explaining(_ call: Call, _ read: QueryRoute.Reader) async throws -> Query {
        guard try isWanted(by: call) else { return try await read(call) }
        let start = ContinuousClock.now
        return explained(try await read(call), since: start)
    }

    /// Answers a call that also reads the file, with an explanation if requested.
    ///
    /// - Throws: ``Problem`` for a person.
    static func explaining(_ call: Call, _ find: () async throws -> Answer) async throws -> Answer {
        guard try isWanted(by: call) else { return try await find() }
        let (start, counter) = (ContinuousClock.now, WorkCounter(within: WorkCounter.current))
        let answer = try await WorkCounter.$current.withValue(counter) { try await find() }
        let duration = ContinuousClock.now - start
        return answer.with(member: parameter.name) { json in
            json.object { json in
                json.member("steps", Int64(counter.total))
                json.member("duration_ms") { $0.value(Int64(duration / .microseconds(1)), decimals: 3) }
            }
        }.timed([("total", duration)]).unstored
    }

    private static func isWanted(by call: Call) throws(Problem) -> Bool {
        guard try call[parameter] else { return false }
        guard call.principal == .service else {
            throw Problem(
                .insufficientScope,
                detail: "'explain' is for services: the amount of work reveals what you may not see.",
                headers: [.wwwAuthenticate: Challenge.insufficientScope(.service)])
        }
        return true
    }

    private static func explained(_ question: Query, since start: ContinuousClock.Instant) -> Query {
        let shared = Shared()
        return Query(
            { state in
                let begin = ContinuousClock.now
                let (finding, steps) = try WorkBudget.measure { try question.look(state) }
                shared.state.withLock { explanation in
                    explanation.parts += 1
                    explanation.steps += steps
                    explanation.reading += ContinuousClock.now - begin
                }
                guard let finding else { return nil }
                return {
                    let answer = try finding()
                    let (explanation, duration) = (shared.state.withLock { $0 }, ContinuousClock.now - start)
                    return answer.with(member: parameter.name) { json in
                        json.object { explanation.write(question.course(), duration, to: &$0) }
                    }.timed([("read", explanation.reading), ("total", duration)]).unstored
                }
            }, course: question.course)
    }

    private func write(_ course: QueryTrace?, _ duration: Duration, to json: inout JSONWriter) {
        if let course {
            json.member("ways", course.ways.map(\.rawValue))
            json.member("looked_at", Int64(course.looked))
            if course.isCutOff { json.member("cut_off", "limits.scan") }
        }
        json.member("steps", Int64(steps))
        json.member("parts", Int64(parts))
        for (name, duration) in [("reading_ms", reading), ("duration_ms", duration)] {
            json.member(name) { $0.value(Int64(duration / .microseconds(1)), decimals: 3) }
        }
    }

    /// The trace so far; a query is executed by one task at a time.
    private final class Shared: Sendable {
        let state = Mutex(Explanation())
    }
}

extension Answer {
    /// Adds durations in a header that browsers' developer tools show (W3C Server Timing).
    fileprivate func timed(_ parts: [(name: String, duration: Duration)]) -> Answer {
        guard let header = HTTPField.Name("Server-Timing") else { return self }
        let reported = parts.map { part in
            let milliseconds = Double(Int64(part.duration / .microseconds(1))) / 1000
            return "\(part.name);dur=\(milliseconds)"
        }
        return with(header, reported.joined(separator: ", "))
    }
}

extension Schema {
    /// The execution trace of a query.
    static let explanation = object(
        [
            "ways": list(of: word(QueryTrace.Way.self)).described("The ways of searching, in order"),
            "looked_at": count.described("The number of entities examined; entities found in two ways count twice"),
            "cut_off": words(["limits.scan"]).described("The setting that ended the search, if one did"),
            "steps": count.described("The work, in steps of about 100 ns on a slow machine"),
            "parts": count.described("The number of chunks in which the live state was read, if nothing else was"),
            "reading_ms": number().described("Milliseconds of reading the live state"),
            "duration_ms": number().described("Milliseconds from request to answer, including waits and serialization"),
        ], required: ["steps", "duration_ms"]
    ).named("Explanation")
}
