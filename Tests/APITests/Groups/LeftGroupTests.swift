import Discovery
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Groups over HTTP that a person has left.
@Suite struct LeftGroupTests {
    /// Eve makes a group, into which Bob comes, who blocks her; then she leaves it.
    @Test(
        "The key of a group that a person left makes another group, whether hidden members are left or not",
        arguments: [true, false])
    func key(isBobLeft: Bool) async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["eve", "bob"])
            try await server.engine.perform(MakeFriends(try ID("eve"), try ID("bob")), by: .service, at: morning)
            func make() async throws -> (status: Int, path: String) {
                let headers = ["authorization": "Bearer \(keys.person("eve"))", "idempotency-key": "k"]
                let reply = try await server.send("POST /v1/groups", #"{"name":"Team"}"#, headers: headers)
                return (reply.status, try #require(reply.headers.first(name: "location"), "\(reply.text)"))
            }
            func act(_ name: String, _ line: String) async throws {
                let reply = try await server.send(line, token: keys.person(name))
                #expect(reply.status < 300, "\(line): \(reply.text)")
            }
            let first = try await make()
            try await act("eve", "PUT \(first.path)/invitations/bob")
            try await act("bob", "PUT \(first.path)/members/bob")
            try await act("bob", "PUT /v1/people/bob/blocks/eve")
            if !isBobLeft { try await act("bob", "DELETE \(first.path)/members/bob") }
            try await act("eve", "DELETE \(first.path)/members/eve")
            let second = try await make()
            #expect(second.status == 201 && second.path != first.path)
            let third = try await make()
            #expect(third.status == 200 && third.path == second.path, "sent again")
        }
    }
}
