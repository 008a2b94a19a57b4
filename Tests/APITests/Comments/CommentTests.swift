import API
import Model
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// Comments about places.
@Suite struct CommentTests {
    private let sol = #"{"kind":"topic","name":"Sol","owner":"bea"}"#
    private let all = "/v1/places/sol/comments"

    private func populate(_ server: TestServer, _ keys: TestKeys) async throws {
        try await server.add(["ana", "bea", "eva", "luis"].map { ($0, nil) })
        #expect(try await server.send("PUT /v1/places/sol", sol, token: keys.service).status == 201)
    }

    /// Writes a comment and returns its id and tag.
    private func write(_ text: String, by author: String, _ server: TestServer, _ keys: TestKeys) async throws
        -> (id: String, tag: String)
    {
        let reply = try await server.send("POST \(all)", #"{"text":"\#(text)"}"#, token: keys.person(author))
        #expect(
            reply.text == #"201 {"id":"…","author":"\#(author)","text":"\#(text)","at":"2026-11-20T10:00:00Z"}"#)
        return (
            String(try #require(reply.body.firstMatch(of: #/"id":"([-_\w]{22})"/#)?.1)),
            try #require(reply.headers.first(name: "etag"))
        )
    }

    private func texts(_ server: TestServer, _ token: String, _ query: String = "") async throws -> String {
        try await server.send("GET \(all)?fields=text\(query)", token: token).text
    }

    @Test("The newest comments come first, and pages continue") func order() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys)
            for (text, author) in [("one", "ana"), ("two", "luis"), ("three", "ana")] {
                _ = try await write(text, by: author, server, keys)
            }
            let whole = try await server.send("GET \(all)", token: keys.person("eva"))
            #expect(
                whole.text
                    == #"200 {"items":[{"id":"…","author":"ana","author_name":"Ana","text":"three","at":"2026-11-20T10:00:00Z"},{"id":"…","author":"luis","author_name":"Luis","text":"two","at":"2026-11-20T10:00:00Z"},{"id":"…","author":"ana","author_name":"Ana","text":"one","at":"2026-11-20T10:00:00Z"}]}"#
            )
            #expect(whole.headers.first(name: "cache-control") == "no-store")
            let first = try await server.send("GET \(all)?limit=2&fields=text&count=true", token: keys.person("eva"))
            #expect(first.text == #"200 {"items":[{"text":"three"},{"text":"two"}],"cursor":"…","count":3}"#)
            _ = try await write("four", by: "ana", server, keys)
            let cursor = try #require(first.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
            #expect(
                try await texts(server, keys.person("eva"), "&count=true&limit=2&cursor=\(cursor)")
                    == #"200 {"items":[{"text":"one"}],"count":4}"#)
            #expect(
                try await server.send("GET /v1/places/luna/comments?cursor=\(cursor)", token: keys.service).status
                    == 400)
            #expect(
                try await server.send("GET /v1/places/luna/comments", token: keys.service).text
                    == problem(404, "Not Found", "not_found", "There is no place 'luna'."))
        }
    }

    @Test("Authors edit their comments, and owners of places and services delete any") func permissions() async throws {
        let clock = Mutex(morning)
        try await withKeys(now: { clock.withLock { $0 } }) { server, keys, _ in
            try await populate(server, keys)
            let (id, tag) = try await write("one", by: "ana", server, keys)
            clock.withLock { $0 = $0 + .seconds(5) }
            let edit = #"{"text":"two"}"#
            let path = "\(all)/\(id)"
            let notAllowed = CallerRows.notAllowed
            #expect(try await server.send("PATCH \(path)", edit, token: keys.person("luis")).text == notAllowed)
            #expect(try await server.send("PATCH \(path)", edit, token: keys.person("bea")).text == notAllowed)
            #expect(try await server.send("DELETE \(path)", token: keys.person("luis")).text == notAllowed)
            let headers = ["authorization": "Bearer \(keys.person("ana"))"]
            func send(_ line: String, _ name: String, _ tag: String) async throws -> TestServer.Reply {
                try await server.send(
                    line, line.hasPrefix("PATCH") ? edit : nil, headers: headers.merging([name: tag]) { $1 })
            }
            #expect(try await send("PATCH \(path)", "If-Match", "\"zzz\"").status == 412)
            let edited = try await send("PATCH \(path)", "If-Match", tag)
            let two =
                #"200 {"id":"…","author":"ana","text":"two","at":"2026-11-20T10:00:00Z","edited_at":"2026-11-20T10:00:05Z"}"#
            #expect(edited.text == two)
            let newTag = try #require(edited.headers.first(name: "etag"))
            #expect(newTag != tag)
            #expect(try await send("GET \(path)", "If-None-Match", newTag).status == 304)
            #expect(try await send("GET \(path)", "If-None-Match", tag).text == two)
            #expect(try await send("DELETE \(path)", "If-Match", tag).status == 412)
            #expect(try await server.send("DELETE \(path)", token: keys.person("bea")).status == 204, "the owner")
            let gone = problem(404, "Not Found", "not_found", "There is no comment '\(id)'.")
            for (method, body) in [("GET", nil), ("PATCH", edit), ("DELETE", nil)] as [(String, String?)] {
                #expect(try await server.send("\(method) \(path)", body, token: keys.person("ana")).text == gone)
            }
            let own = try await write2("three", by: "ana", server, keys)
            #expect(try await server.send("DELETE \(all)/\(own)", token: keys.person("ana")).status == 204)
            let other = try await write2("four", by: "ana", server, keys)
            #expect(
                try await server.send("DELETE /v1/places/luna/comments/\(other)", token: keys.service).status == 404)
            #expect(try await server.send("DELETE \(all)/\(other)", token: keys.service).status == 204)
        }
    }

    private func write2(_ text: String, by author: String, _ server: TestServer, _ keys: TestKeys) async throws
        -> String
    {
        let reply = try await server.send("POST \(all)", #"{"text":"\#(text)"}"#, token: keys.person(author))
        return String(try #require(reply.body.firstMatch(of: #/"id":"([-_\w]{22})"/#)?.1))
    }

    @Test("Comments across a block are neither shown nor counted") func blocks() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys)
            let (id, _) = try await write("of ana", by: "ana", server, keys)
            _ = try await write("of luis", by: "luis", server, keys)
            _ = try await write("of ana again", by: "ana", server, keys)
            let whole =
                #"200 {"items":[{"text":"of ana again"},{"text":"of luis"},{"text":"of ana"}],"count":3}"#
            for blocker in ["ana", "eva"] {
                let other = blocker == "ana" ? "eva" : "ana"
                let block = "/v1/people/\(blocker)/blocks/\(other)"
                #expect(try await server.send("PUT \(block)", token: keys.service).status == 204)
                #expect(
                    try await texts(server, keys.person("eva"), "&count=true")
                        == #"200 {"items":[{"text":"of luis"}],"count":1}"#)
                #expect(
                    try await texts(server, keys.person("eva"), "&limit=1") == #"200 {"items":[{"text":"of luis"}]}"#,
                    "nothing tells that there is more")
                for (method, body) in [("GET", nil), ("PATCH", #"{"text":"x"}"#), ("DELETE", nil)]
                    as [(String, String?)]
                {
                    #expect(
                        try await server.send("\(method) \(all)/\(id)", body, token: keys.person("eva")).text
                            == problem(404, "Not Found", "not_found", "There is no comment '\(id)'."))
                }
                for seer in [keys.person("luis"), keys.service] {
                    #expect(try await texts(server, seer, "&count=true") == whole)
                }
                #expect(try await server.send("DELETE \(block)", token: keys.service).status == 204)
            }
            #expect(try await texts(server, keys.person("eva"), "&count=true") == whole)
        }
    }

    @Test("A repeated idempotency key makes no second comment") func idempotencyKey() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys)
            func post(_ text: String, _ key: String, _ token: String) async throws -> TestServer.Reply {
                try await server.send(
                    "POST \(all)", #"{"text":"\#(text)"}"#,
                    headers: ["authorization": "Bearer \(token)", "idempotency-key": key])
            }
            let made = try await post("one", "k1", keys.person("ana"))
            let again = try await post("one", "k1", keys.person("ana"))
            #expect(made.status == 201 && again.status == 200 && made.body == again.body)
            #expect(
                try await post("two", "k1", keys.person("ana")).text
                    == problem(
                        422, "Unprocessable Content", "idempotency_key_reused",
                        "The 'Idempotency-Key' was used for another comment here."))
            #expect(try await post("one", "k2", keys.person("ana")).status == 201)
            #expect(try await post("one", "k1", keys.person("luis")).status == 201, "a key is its caller's")
            #expect(try await post("one", String(repeating: "x", count: 256), keys.person("ana")).status == 400)
            #expect(
                try await texts(server, keys.service, "&count=true")
                    == #"200 {"items":[{"text":"one"},{"text":"one"},{"text":"one"}],"count":3}"#)
            let path = try #require(made.headers.first(name: "location"))
            let edited = try await server.send("PATCH \(path)", #"{"text":"other"}"#, token: keys.person("ana"))
            let late = try await post("one", "k1", keys.person("ana"))
            #expect(edited.status == 200 && late.status == 200, "an edited comment is still that of its key")
        }
    }

    @Test("Invalid comments are refused") func invalidComments() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys)
            for (body, token, status, code) in [
                ("{}", keys.person("ana"), 400, #""pointer":"/text","code":"required""#),
                (#"{"text":""}"#, keys.person("ana"), 400, #""pointer":"/text","code":"required""#),
                (#"{"text":"a\u0000"}"#, keys.person("ana"), 400, #""pointer":"/text","code":"format""#),
                (
                    #"{"text":"\#(String(repeating: "x", count: 4001))"}"#, keys.person("ana"), 400,
                    #""pointer":"/text","code":"too_long""#
                ),
                (#"{"text":"x","at":1}"#, keys.person("ana"), 400, #""pointer":"/at","code":"unknown""#),
                (#"{"text":"x"}"#, keys.service, 400, #""pointer":"/author","code":"required""#),
                (#"{"text":"x","author":"eva"}"#, keys.person("ana"), 403, "not_allowed"),
                (#"{"text":"x","author":"ghost"}"#, keys.service, 404, "There is no person 'ghost'."),
                (#"{"text":"x"}"#, keys.person("ghost"), 404, "There is no person 'ghost'."),
                (#"{"text":"x","author":"eva"}"#, keys.service, 201, #""author":"eva""#),
                (#"{"text":"x","author":"ana"}"#, keys.person("ana"), 201, #""author":"ana""#),
            ] {
                let reply = try await server.send("POST \(all)", body, token: token)
                #expect(reply.status == status && reply.body.contains(code), "\(body.prefix(40)): \(reply.text)")
            }
        }
    }

    @Test("Comments are deleted with their author and with their place") func deletion() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys)
            _ = try await write("of ana", by: "ana", server, keys)
            _ = try await write("of luis", by: "luis", server, keys)
            #expect(try await server.send("DELETE /v1/people/ana", token: keys.service).status == 204)
            #expect(
                try await texts(server, keys.service, "&count=true")
                    == #"200 {"items":[{"text":"of luis"}],"count":1}"#)
            #expect(try await server.send("DELETE /v1/places/sol", token: keys.service).status == 204)
            #expect(try await server.send("PUT /v1/places/sol", sol, token: keys.service).status == 201)
            #expect(try await texts(server, keys.service, "&count=true") == #"200 {"items":[],"count":0}"#)
        }
    }
}
