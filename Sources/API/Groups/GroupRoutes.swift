internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model

/// Routes for groups, their members and invitations.
///
/// A caller who is not a member gets the same answers as for a group that does not exist.
struct GroupRoutes {
    let engine: Engine
    let seal: CursorSeal

    private static func pages(_ fields: Parameter<Set<String>?>) -> [any QueryParameter] {
        [Paging.longLimit, Paging.cursor, fields]
    }

    func add(to routes: inout RouteTable) {
        routes.chapter = "Groups"
        routes.on(
            .post, "/v1/groups", for: .known,
            .init(
                "Creates a group", as: "createGroup", takes: .json(.groupForm), headers: [.idempotencyKey],
                answers: .written(.group),
                problems: [.groupExists, .tooManyGroups]), create)
        let document = "/v1/groups/{id}"
        routes.on(
            .get, document, for: .known,
            .init("Returns a group", as: "getGroup", [Self.fields], answers: .document(.group)), get)
        routes.on(
            .patch, document, for: .known,
            .init(
                "Changes a group", as: "changeGroup", takes: .patch(.groupPatch), headers: [.conditions],
                answers: .written(.group)),
            patch)
        routes.act(
            .delete, document, for: .known, .init("Deletes a group", as: "deleteGroup", headers: [.conditions]),
            in: engine
        ) {
            try DeleteGroup($0.id("id"), if: $0.condition)
        }
        addMembers("\(document)/members", &routes)
        addInvitations("\(document)/invitations", &routes)
        routes.on(
            .get, "/v1/people/{id}/groups", for: .own,
            .init(
                "Lists the groups of a person", as: "listGroups", Self.pages(Self.ownFields),
                answers: .page(of: .group, named: "Group")),
            groups)
        routes.on(
            .get, "/v1/people/{id}/invitations", for: .own,
            .init(
                "Lists the invitations of a person", as: "listInvitations", Self.pages(Self.invitationFields),
                answers: .page(of: .invitation, named: "Invitation")), invitations)
    }

    private func addMembers(_ all: String, _ routes: inout RouteTable) {
        routes.on(
            .get, all, for: .known,
            .init(
                "Lists the members of a group", as: "listMembers", Self.pages(PeopleListing.fields),
                answers: .page(of: .acquaintance, named: "Acquaintance")), members)
        routes.on(
            .put, "\(all)/{person}", for: .known,
            .init(
                "Accepts an invitation", as: "acceptInvitation", answers: .ok(Self.state),
                problems: [.tooManyMembers, .tooManyGroups, .separated]), accept)
        routes.act(
            .delete, "\(all)/{person}", for: .known, .init("Leaves a group, or removes a member", as: "removeMember"),
            in: engine
        ) {
            try RemoveMember($0.id("person"), from: $0.id("id"))
        }
    }

    private func addInvitations(_ all: String, _ routes: inout RouteTable) {
        routes.on(
            .get, all, for: .known,
            .init(
                "Lists the people invited to a group", as: "listGroupInvitations", Self.pages(PeopleListing.fields),
                answers: .page(of: .acquaintance, named: "Acquaintance")), invited)
        routes.on(
            .put, "\(all)/{person}", for: .known,
            .init(
                "Invites a friend to a group", as: "inviteToGroup", [Self.inviter], answers: .ok(Self.state),
                problems: [.tooManyMembers, .tooManyGroups, .separated, .oneself]), invite)
        routes.act(
            .delete, "\(all)/{person}", for: .known,
            .init("Refuses an invitation, or withdraws it", as: "withdrawInvitation"), in: engine
        ) { try Uninvite($0.id("person"), from: $0.id("id")) }
    }

    private static let columns = ["id", "name", "photo", "timetable", "owner"]
    private static let fields = Paging.fields(columns)
    private static let ownFields = Paging.fields(columns + ["since", "members"])
    private static let invitationFields = Paging.fields(["id", "name", "photo", "by", "at"])
    private static let inviter: Parameter<PersonID?> = .id("by", "the member who invites, if a service calls")
    private static let state = Schema.object(["state": .words(["invited", "member"])], required: ["state"])
        .named("Membership")

    /// Group ids are random, so that a caller cannot probe for a group by its id; only services may choose ids.
    @Sendable private func create(_ call: Call) async throws -> Answer {
        let (drawn, beginning) = try newID(call)
        let (group, isNamed) = try Fields.read(await call.json()) { fields -> (Group, Bool)? in
            let isNamed = fields.has("id")
            if isNamed, call.caller != .service {
                fields.fail("id", .refused, "is generated: only services choose it")
            }
            var owner: PersonID?
            if case .person(let caller) = call.caller { owner = caller }
            guard let id = isNamed ? fields.id("id") : drawn else {
                _ = fields.takeOthers()
                return nil
            }
            let group = Group(&fields, id: id, owner: owner)
            fields.refuseLong(group?.timetable?.hours, keeping: nil, by: call.caller, at: "/timetable/hours")
            return group.map { ($0, isNamed) }
        }
        let isRepeatable = try call.idempotencyKey != nil
        do {
            return try await engine.write(CreateGroup(group, unlessOwnBegins: beginning), call) {
                $0.group(group, showsOwner: true)
            }.locating("groups", group.id.text).unstored
        } catch Refusal.groupExists(let id) where isRepeatable {
            return try repeated(group, as: id, isNamed: isNamed, call)
        }
    }

    /// Returns the id of a new group, and the prefix that it shares with a person's groups made with the same key.
    ///
    /// The rest is random. An id derived from the key alone would be free again only after the group the person left
    /// was deleted, which would reveal whether it still has members whom the person cannot see.
    private func newID(_ call: Call) throws -> (id: GroupID, beginning: String?) {
        let keyed: GroupID = try call.newID(of: "group") { id in
            (try? engine.read { state throws(Refusal) in try state.group(id, knownTo: call.caller) }) != nil
        }
        guard call.caller != .service else { return (keyed, nil) }
        let beginning = String(keyed.text.prefix(Self.charactersOfKey))
        return (try ID("\(beginning)\(KeyedIDs.drawn().dropFirst(Self.charactersOfKey))"), beginning)
    }

    /// The number of id characters that are derived from the key (66 bits); the rest of a person's group id is random.
    private static let charactersOfKey = 11

    /// The answer to a repeated request for a group that exists already.
    private func repeated(_ sent: Group, as id: GroupID, isNamed: Bool, _ call: Call) throws -> Answer {
        let known = try engine.read { state throws(Refusal) in try state.group(id, knownTo: call.caller) }
        var group = sent
        group.id = id
        if known.record.value != group, isNamed { throw Refusal.groupExists(group.id) }
        guard known.record.value == group || !known.isAsMade else { throw Problem.keyReused(forAnother: "group") }
        let answer = Answer.json { json in
            json.object { $0.group(known.record.value, showsOwner: known.showsOwner) }
        }
        return answer.tagged(known.showsOwner ? known.record.revision : answer.digest).locating("groups", group.id.text)
            .unstored
    }

    @Sendable private func get(_ call: Call) async throws -> Answer {
        let id: GroupID = try call.id("id")
        let columns = try call[Self.fields]
        let group = try engine.read { state throws(Refusal) in try state.group(id, knownTo: call.caller) }
        return Document(group.record).answer(to: call, columns, isWhole: group.showsOwner) {
            $0.group($1, showsOwner: group.showsOwner)
        }.unstored
    }

    @Sendable private func patch(_ call: Call) async throws -> Answer {
        let id: GroupID = try call.id("id")
        let patch = try await call.mergePatch()
        return try await call.retryingConflicts { condition in
            let record = try engine.read { state throws(Refusal) in try state.group(id, changedBy: call.caller) }
            let document = try Document(record).json { $0.group($1, showsOwner: true) }
            let group = try Fields.read(document.merged(with: patch)) { fields in
                let group = Group(&fields, id: id, owner: nil)
                fields.refuseLong(
                    group?.timetable?.hours, keeping: record.value.timetable?.hours, by: call.caller,
                    at: "/timetable/hours")
                return group
            }
            let write = Write(group, if: condition ?? .isRevision([record.revision]))
            return try await engine.write(ReplaceGroup(write), call) {
                $0.group(group, showsOwner: record.value.owner == group.owner || call.caller == .service)
            }.unstored
        }
    }

    @Sendable private func accept(_ call: Call) async throws -> Answer {
        try await membership(AcceptInvitation(of: call.id("person"), to: call.id("id")), call)
    }

    @Sendable private func invite(_ call: Call) async throws -> Answer {
        let inviter = try call[Self.inviter]
        return try await membership(Invite(call.id("person"), to: call.id("id"), by: inviter), call)
    }

    private func membership(_ action: some Action<MembershipState>, _ call: Call) async throws -> Answer {
        let state = try await engine.perform(action, for: call)
        return .object { $0.member("state", state.rawValue) }
    }

    @Sendable private func members(_ call: Call) async throws -> Answer {
        let id: GroupID = try call.id("id")
        return try await people(call) {
            try engine.read { state throws(Refusal) in try state.members(of: id, for: call.caller) }
        }
    }

    @Sendable private func invited(_ call: Call) async throws -> Answer {
        let id: GroupID = try call.id("id")
        return try await people(call) {
            try engine.read { state throws(Refusal) in try state.invited(to: id, for: call.caller) }
        }
    }

    private func people(_ call: Call, _ look: () async throws -> [Person]) async throws -> Answer {
        try await list(call, PeopleListing.fields, id: \.id, look) { $0.acquaintance($1) }
    }

    @Sendable private func groups(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        return try await list(call, Self.ownFields, id: \.group.record.value.id) {
            try await engine.groups(of: id)
        } write: { json, own in
            json.group(own.group.record.value, showsOwner: own.group.showsOwner)
            json.member("since", own.since)
            json.member("members", Int64(own.members))
        }
    }

    @Sendable private func invitations(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        return try await list(call, Self.invitationFields, id: \.group.id) {
            try await engine.invitations(of: id)
        } write: { json, invitation in
            json.member("id", invitation.group.id.text)
            json.member("name", invitation.group.name)
            json.member("photo", invitation.group.photo)
            json.object("by") { $0.acquaintance(invitation.inviter) }
            json.member("at", invitation.time)
        }
    }

    /// A page of the items that `look` returns in the order of their ids.
    private func list<Item, Thing>(
        _ call: Call, _ fields: Parameter<Set<String>?>, id: (Item) -> ID<Thing>,
        _ look: () async throws -> [Item], write: @escaping (inout JSONWriter, Item) -> Void
    ) async throws -> Answer {
        let limit = try call[Paging.longLimit]
        let after: ID<Thing>? = try seal.id(call)
        let columns = try call[fields]
        let rest = try await look().filter { item in after.map { id(item) > $0 } ?? true }
        return try PageAnswer(
            rest, limit: limit, columns: columns, seal: { try seal.seal(id($0), call) }, write: write
        ).answer(to: call).unstored
    }
}
