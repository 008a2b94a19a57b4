internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

/// Finding people by name or e-mail address.
struct PeopleSearchRoutes {
    let live: Live
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "People"
        let search = RouteDescription(
            "Finds people by name or e-mail address; lists everybody, for services",
            [Self.name, Self.email, Paging.mapLimit, Paging.cursor, Self.fields],
            answers: .page(of: .personFound, named: "PersonFound", onMap: true))
        routes.ask(
            QuestionRoute(member: "list", word: "people", path: "/v1/people", access: .known, description: search),
            of: live, self.search(for:))
    }

    private static let name = Parameter.searched("q", longest: 200, "up to \(Live.mostWords) words of the name")
    private static let email = Parameter.searched("email", longest: 254, "the whole address")
    private static let fields = Paging.fields([
        "id", "name", "surname", "city", "lat", "lon", "at", "since", "seen_until",
    ])

    @Sendable private func search(for call: Call) async throws -> Question {
        let limit = try call[Paging.mapLimit]
        let columns = try call[Self.fields]
        let wanted: Live.PersonSearch
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
            try await live.people(by: wanted, for: call.caller, after: after, limit: limit + 1)
        }
        guard let found else { throw call.unsought }
        return Question(FoundPeople(rest: found[...])) { search, picture in
            search.look(at: picture, for: call.caller, limit + 1)
        } answer: { search in
            let people = search.known
            let cursor = people.count > limit ? try seal.seal(people[limit - 1].position, call) : nil
            return Listing(
                items: people.prefix(limit).map(\.person), cursor: cursor, columns: columns, write: { $0.found($1) }
            ).answer(to: call).unstored
        }
    }

    private func everybody(_ call: Call, _ limit: Int, _ columns: Set<String>?) throws -> Question {
        Question(EveryPerson(after: try seal.number(call), limit: limit)) { search in
            Listing(
                items: search.items, cursor: try search.next.map { try seal.seal(number: $0, call) }, columns: columns,
                place: { $0.position?.place },
                write: { json, item in
                    json.found(item.person)
                    guard let position = item.position else { return }
                    json.coordinate(position.place)
                    json.member("at", position.time)
                    json.member("since", position.since)
                    json.member("seen_until", position.seenUntil)
                }
            ).answer(to: call).unstored
        }
    }

    /// Of the people who were found by their words those of whom the caller may know.
    private struct FoundPeople: Sendable {
        private static let (part, steps) = (1000, 15)

        var rest: ArraySlice<PersonFound>
        var known: [(person: Person, position: PersonFound)] = []

        /// Looks at some more; the caller is charged for those who are shown, and not for those whom a block hides.
        ///
        /// - Returns: whether these were the last, or so many are known.
        mutating func look(at picture: borrowing Picture, for caller: Caller, _ most: Int) -> Bool {
            let part = rest.prefix(Self.part)
            rest = rest.dropFirst(Self.part)
            Effort.uncharged { Effort.count(part.count * Self.steps) }
            for position in part where known.count < most {
                if let person = picture.people([position.number], knownTo: caller).first {
                    Effort.charge(Self.steps)
                    known.append((person, position))
                }
            }
            return rest.isEmpty || known.count == most
        }
    }
}

extension JSONWriter {
    fileprivate mutating func found(_ person: Person) {
        member("id", person.id.text)
        member("name", person.name)
        member("surname", person.surname)
        member("city", person.city)
    }
}

extension Call {
    /// A parameter that holds what is looked for.
    func searched(_ name: String, longest: Int) throws(Problem) -> String? {
        guard let text = query.text(name) else { return nil }
        guard text.utf8.count <= longest else { throw query.invalid(name, "a text of at most \(longest) bytes") }
        return text
    }

    /// The problem of a `q` in which nothing can be looked for.
    var wordless: Problem { query.invalid("q", "a text with at least one letter or digit") }

    /// The problem of a `q` in which there are no words, or too many.
    fileprivate var unsought: Problem { query.invalid("q", "a text of 1 to \(Live.mostWords) different words") }

    /// The numbers of what has the words of `q`; nil for a call without `q`.
    func numbers<Thing>(
        in index: TextIndex<Thing>, of live: Live, _ lexicon: Lexicon
    ) async throws -> [Number<Thing>]? {
        guard let text = try self[Self.words] else { return nil }
        let numbers = try await amongSearches {
            try await live.numbers(in: index, matching: text, groups: lexicon.groups)
        }
        guard let numbers else { throw unsought }
        return numbers
    }

    /// Looks for words when there is room for it (``Limits/words``), and holds no place in the route's room meanwhile.
    ///
    /// - Throws: ``Problem``: there is no room in time, or a person owes too much after other searches of a batch; what
    ///   `body` throws.
    fileprivate func amongSearches<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard principal != .service else { return try await body() }
        try route.common.authenticator.rateLimits.refuseDebt(of: claim?.bearer, at: route.common.now())
        return try await away { _ in try await route.common.words.run(body) }
    }
}
