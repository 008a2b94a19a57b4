internal import Discovery
internal import HTTPTypes
internal import Interchange

/// What people call their friends.
struct LabelRoutes {
    let live: Live

    func add(to routes: inout RouteTable) {
        routes.on(.put, "/v1/people/{id}/friends/{other}/label", for: .own, put)
        routes.on(.delete, "/v1/people/{id}/friends/{other}/label", for: .own, delete)
    }

    @Sendable private func put(_ call: Call) async throws -> Answer {
        let label = try Fields.read(await call.json()) { $0.requiredText("label", longest: 100) }
        try await live.perform(LabelFriend(call.id("id"), call.id("other"), label), for: call)
        return Answer.object { $0.member("label", label) }.unstored
    }

    @Sendable private func delete(_ call: Call) async throws -> Answer {
        try await live.nothing(after: LabelFriend(call.id("id"), call.id("other"), nil), call)
    }
}
