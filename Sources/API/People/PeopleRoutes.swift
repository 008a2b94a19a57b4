internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model

struct PeopleRoutes {
    let engine: Engine

    func add(to routes: inout RouteTable) {
        routes.chapter = "People"
        let document = "/v1/people/{id}"
        routes.ask(
            QueryRoute(
                member: "person", path: document, access: .known,
                description: .init(
                    "Returns a person", as: "getPerson", [Self.fields],
                    answers: .document(.person, or: [VCard.type: .text()]))),
            of: engine, get)
        let problems: [Problem.Code] = [.beingDeleted, .documentTooLarge]
        routes.on(
            .put, document, for: .own,
            .init(
                "Creates or replaces a person", as: "putPerson", takes: .json(.personForm), headers: [.conditions],
                answers: .written(.person), problems: problems), put)
        routes.on(
            .patch, document, for: .own,
            .init(
                "Changes a person", as: "changePerson", takes: .patch(.personForm), headers: [.conditions],
                answers: .written(.person),
                problems: problems), patch)
        routes.on(
            .post, "/v1/people", for: .service,
            .init(
                "Creates a person with a generated id", as: "createPerson", takes: .json(.newPersonForm),
                headers: [.idempotencyKey],
                answers: .written(.person), problems: problems), post)
        routes.act(
            .delete, document, for: .own,
            .init("Deletes a person permanently", as: "deletePerson", headers: [.conditions]), in: engine
        ) {
            try DeletePerson($0.id("id"), if: $0.condition)
        }
    }

    static let columns = [
        "id", "name", "surname", "city", "born", "sex", "relationship", "email", "phone", "photo", "about",
        "attributes",
        "discoverable", "searchable", "searchable_by_email", "sharing", "throttle", "retention_s",
        "tokens_not_before",
    ]

    private static let fields = Paging.fields(columns)

    @Sendable private func get(_ call: Call) async throws -> Query {
        let id: PersonID = try call.id("id")
        let columns = try call[Self.fields]
        return Query { state in
            let view = try state.person(id, for: call.caller)
            return {
                let answer =
                    switch view {
                    case _ where call.wants(VCard.type): Self.card(view)
                    case .whole(let record): Document(record).answer(to: call, columns) { $0.person($1, columns) }
                    // No entity tag, because it would reveal changes of members that are not shown.
                    case .part(let person): Answer.json { json in json.item(columns) { $0.shown(person) } }
                    }
                return answer.negotiated.unstored
            }
        }
    }

    /// The visible part of a person as a vCard, for an address book.
    private static func card(_ view: PersonView) -> Answer {
        let person =
            switch view {
            case .whole(let record): record.value
            case .part(let person): person
            }
        return Answer(headers: [.contentType: "\(VCard.type); charset=utf-8"], body: VCard.of(person))
    }

    @Sendable private func put(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let body = try await call.json()
        let condition = try call.condition
        let former = engine.stored(id)
        return try await write(try Self.read(body, call, former) { Write(&$0, id: id, if: condition) }, former, call)
    }

    @Sendable private func post(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.newID(of: "person") { engine.stored($0) != nil }
        let isRepeatable = try call.idempotencyKey != nil
        let body = try await call.jsonWithoutID(chosenAt: "/v1/people/{id}")
        let person = try Self.read(body, call, nil) { Write(&$0, id: id, if: .isAbsent) }
        do {
            return try await write(person, nil, call).locating("people", id.text)
        } catch Refusal.conditionFailed where isRepeatable {
            // A creation time is not stored, so a difference means another person, or a person changed since.
            let view = try engine.read { state throws(Refusal) in try state.person(id, for: call.caller) }
            guard case .whole(let record) = view, record.value == person.value else {
                throw Problem.keyReused(forAnother: "person, or the person has changed since")
            }
            return Answer.object { $0.person(record.value) }.tagged(record.revision).locating("people", id.text)
        }
    }

    @Sendable private func patch(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let patch = try await call.mergePatch()
        return try await call.retryingConflicts { condition in
            let view = try engine.read { state throws(Refusal) in try state.person(id, for: call.caller) }
            guard case .whole(let record) = view else { throw Problem.notAllowed }
            let merged = try Document(record).json { $0.person($1) }.merged(with: patch)
            let person = try Self.read(merged, call, record.value) { fields in
                Person(&fields, id: id).map { Write($0, if: condition ?? .isRevision([record.revision])) }
            }
            return try await write(person, record.value, call)
        }
    }

    private func write(_ write: Write<Person>, _ former: Person?, _ call: Call) async throws -> Answer {
        try call.refuseTooLong(write.value, former) { $0.person($1) }
        let written = try await engine.perform(PutPerson(write), for: call)
        return written.answer { $0.person(written.person ?? write.value) }.tagged(written.revision)
    }

    private static func read(
        _ json: JSON, _ call: Call, _ former: Person?, _ read: (inout Fields) -> Write<Person>?
    ) throws(FormError) -> Write<Person> {
        try Fields.read(json) { fields in
            let write = read(&fields)
            fields.refuseLong(
                write?.value.sharing.timetable?.hours, keeping: former?.sharing.timetable?.hours, by: call.caller,
                at: "/sharing/timetable/hours")
            return write
        }
    }
}

extension JSONWriter {
    /// Writes the whole document; if the caller asks for `sharing`, also the defaults of a person who chose nothing.
    fileprivate mutating func person(_ person: Person, _ columns: Set<String>?) {
        self.person(person)
        if columns != nil, person.sharing == Sharing() { member("sharing") { $0.terms(person.sharing) } }
    }
}
