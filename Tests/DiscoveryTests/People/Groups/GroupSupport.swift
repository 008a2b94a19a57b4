import Discovery
import Model
import TestSupport

/// Shared steps of the group tests.
protocol GroupSuite {}

extension GroupSuite {
    func group(_ name: String, of owner: String, _ change: (inout Group) -> Void = { _ in }) -> Group {
        var group = Group(id: id(name), name: name, owner: id(owner))
        change(&group)
        return group
    }

    func people(_ engine: TestEngine, _ names: String...) async throws {
        for name in names { try await engine.add(person(name)) }
        for name in names.dropFirst() { try await engine.perform(MakeFriends(id(names[0]), id(name))) }
    }

    func perform(
        _ action: some GroupAction, _ engine: TestEngine, by name: String? = nil, at time: Timestamp = morning
    ) async throws {
        try await engine.perform(action, by: name.map { .person(id($0)) } ?? .service, at: time)
    }

    /// Invites people in order, who accept a second apart.
    func join(_ names: String..., to group: String, by inviter: String, _ engine: TestEngine) async throws {
        for (index, name) in names.enumerated() {
            try await perform(Invite(id(name), to: id(group)), engine, by: inviter)
            let action = AcceptInvitation(of: id(name), to: id(group))
            try await perform(action, engine, by: name, at: morning + .seconds(Int64(index + 1)))
        }
    }

    func members(_ group: String, _ engine: TestEngine, for caller: Caller = .service) throws -> [String] {
        try engine.engine.read { state throws(Refusal) in
            try state.members(of: id(group), for: caller).map { $0.id.text }
        }
    }

    func invited(_ group: String, _ engine: TestEngine, for caller: Caller = .service) throws -> [String] {
        try engine.engine.read { state throws(Refusal) in
            try state.invited(to: id(group), for: caller).map { $0.id.text }
        }
    }

    func owner(_ group: String, _ engine: TestEngine) throws -> String {
        try engine.engine.read { state throws(Refusal) in
            try state.group(id(group), knownTo: .service).record.value.owner.text
        }
    }

    func refusal(_ body: () async throws -> Void) async throws -> Refusal? {
        do { try await body() } catch let refusal as Refusal { return refusal }
        return nil
    }
}
