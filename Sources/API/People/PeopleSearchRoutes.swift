internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

struct PeopleSearchRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "People"
        let search = RouteDescription(
            "Finds people by name or e-mail address; lists all people, for services", as: "findPeople",
            [Self.name, Self.email, Paging.mapLimit, Paging.cursor, Self.fields],
            answers: .page(of: .personFound, named: "PersonFound", onMap: true))
        routes.ask(
            QueryRoute(member: "list", word: "people", path: "/v1/people", access: .known, description: search),
            of: engine, self.search(for:))
    }

    private static let name = Parameter.searched("q", longest: 200, "up to \(Engine.mostWords) words of the name")
    private static let email = Parameter.searched("email", longest: 254, "the whole address")
    private static let fields = Paging.fields([
        "id", "name", "surname", "city", "lat", "lon", "at", "since", "seen_until",
    ])

    @Sendable private func search(for call: Call) async throws -> Query {
        let limit = try call[Paging.mapLimit]
        let columns = try call[Self.fields]
        let wanted: Engine.PersonSearch
        switch (try call[Self.name], try call[Self.email]) {
        case (let text?, nil): wanted = .name(text)
        case (nil, let email?): wanted = .email(email)
        case (nil, nil) where call.caller == .service: return try everybody(call, limit, columns)
        default:
            throw Problem(
                .invalidParameter, detail: "Either 'q', words of a name, or 'email', an address, is required.")
        }
        let after = try seal.personFound(call)
        let found = try await call.amongSearches {
            try await engine.people(by: wanted, for: call.caller, after: after, limit: limit + 1)
        }
        guard let found else { throw call.unsought }
        return Query(FoundPeople(rest: found[...])) { search, state in
            search.look(at: state, for: call.caller, limit + 1)
        } answer: { search in
            let people = search.known
            let cursor = people.count > limit ? try seal.seal(people[limit - 1].position, call) : nil
            return PageAnswer(
                items: people.prefix(limit).map(\.person), cursor: cursor, columns: columns, write: { $0.found($1) }
            ).answer(to: call).unstored
        }
    }

    private func everybody(_ call: Call, _ limit: Int, _ columns: Set<String>?) throws -> Query {
        Query(EveryPerson(after: try seal.number(call), limit: limit)) { search in
            PageAnswer(
                items: search.items, cursor: try search.next.map { try seal.seal(number: $0, call) }, columns: columns,
                place: { $0.position?.place },
                write: { $0.found($1.person, at: $1.position) }
            ).answer(to: call).unstored
        }
    }

    /// Filters the people found by their words to those visible to the caller.
    private struct FoundPeople: Sendable {
        private static let (part, steps) = (1000, 15)

        var rest: ArraySlice<PersonFound>
        var known: [(person: Person, position: PersonFound)] = []

        /// Examines the next part; the caller is charged for the people shown, not for people hidden by a block.
        ///
        /// - Returns: whether this was the last part, or `most` visible people were found.
        mutating func look(at state: borrowing LiveState, for caller: Caller, _ most: Int) -> Bool {
            let part = rest.prefix(Self.part)
            rest = rest.dropFirst(Self.part)
            WorkBudget.uncharged { WorkBudget.count(part.count * Self.steps) }
            for position in part where known.count < most {
                if let person = state.people([position.number], knownTo: caller).first {
                    WorkBudget.charge(Self.steps)
                    known.append((person, position))
                }
            }
            return rest.isEmpty || known.count == most
        }
    }
}

extension JSONWriter {
    /// A person of a list, with the newest position if it is shown.
    mutating func found(_ person: Person, at position: Position? = nil) {
        member("id", person.id.text)
        member("name", person.name)
        member("surname", person.surname)
        member("city", person.city)
        guard let position else { return }
        coordinate(position.place)
        member("at", position.time)
        member("since", position.since)
        member("seen_until", position.seenUntil)
    }
}

extension Call {
    /// The value of a search parameter, with a limit of `longest` bytes.
    func searched(_ name: String, longest: Int) throws(Problem) -> String? {
        guard let text = query.text(name) else { return nil }
        guard text.utf8.count <= longest else { throw query.invalid(name, "text of at most \(longest) bytes") }
        return text
    }

    /// The problem for a `q` without anything to search for.
    var wordless: Problem { query.invalid("q", "text with at least one letter or digit") }

    /// The problem for a `q` with no words, or too many.
    fileprivate var unsought: Problem { query.invalid("q", "text of 1 to \(Engine.mostWords) different words") }

    /// The records that match the words of `q`, ranked for a list by relevance; nil for a call without `q`.
    func matches<Thing>(
        in index: TextIndex<Thing>, of engine: Engine, _ lexicon: Lexicon, isRanked: Bool
    ) async throws -> WordMatches<Thing>? {
        guard let text = try self[Self.words] else { return nil }
        let matches = try await amongSearches {
            try await engine.numbers(
                in: index, matching: text, inflection: lexicon.inflection, isRanked: isRanked,
                groups: lexicon.groups)
        }
        guard let matches else { throw unsought }
        return matches
    }

    /// Searches for words within their own limit (``Limits/words``), and releases the route's limit in the meantime.
    ///
    /// - Throws: ``Problem`` if no capacity is free in time, or a person is in debt after a batch's other searches; and
    ///   errors of `body`.
    fileprivate func amongSearches<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard principal != .service else { return try await body() }
        try refuseDebt()
        return try await away { _ in try await route.common.words.run(body) }
    }
}
