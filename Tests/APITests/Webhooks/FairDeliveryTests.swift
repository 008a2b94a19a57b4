import API
import Discovery
import Foundation
import Laws
import Model
import Synchronization
import TestSupport
import Testing
import Webhooks

/// Fair deliveries: no person, receiver, or name server delays the messages of another webhook or person.
///
/// Name lookups and receivers block real threads, until a gate opens after the claims were checked.
@Suite(.serialized, .timeLimit(.minutes(60))) struct FairDeliveryTests {
    /// A resolver that blocks for all names except `good.example`.
    private final class Names: Sendable {
        let gate = Gate()
        private let calls = Mutex<[String: Int]>([:])

        /// The number of lookups of each name.
        var counts: [String: Int] { calls.withLock { $0 } }

        func addresses(_ name: String) -> [String] {
            calls.withLock { $0[name, default: 0] += 1 }
            if name != "good.example" { gate.wait() }
            return ["127.0.0.1"]
        }
    }

    private func put(_ server: TestServer, _ id: String, _ url: String, _ members: String = "") async throws {
        let made = try await server.send("PUT /v1/webhooks/\(id)", #"{"url":"\#(url)"\#(members)}"#)
        #expect(made.status == 201, "\(made.body)")
    }

    private func ask(_ server: TestServer, _ person: String, _ other: String) async throws {
        try await server.engine.perform(Befriend(id(person), id(other)), by: .service, at: morning)
    }

    private func id<Thing>(_ text: String) throws -> ID<Thing> { try ID(text) }

    @Test("Unanswered names and receivers that hang delay no other webhook, request, or stop")
    func silence() async throws {
        let (names, hung) = (Names(), Gate())
        let receiver = try TestReceiver { if $0.path == "/hung" { hung.wait() } }
        let silent = RandomCases.count(30, all: 90)
        try await withServer {
            $0.webhooks = (try? .init(allowing: "good.example")) ?? $0.webhooks
            $0.webhooks.names = { names.addresses($0) }
            $0.webhooks.timeout = .seconds(3000)
        } _: { server in
            try await server.add(["ana", "luis", "eva"])
            for number in 0..<silent { try await put(server, "s\(number)", "https://silent\(number / 2).example/") }
            for number in 0..<8 { try await put(server, "h\(number)", "http://good.example:\(receiver.port)/hung") }
            try await put(server, "good", "http://good.example:\(receiver.port)/good")
            try await ask(server, "ana", "luis")
            try await wait { names.counts.count == silent / 2 + 1 && receiver.messages("/hung").count == 8 }
            try await ask(server, "eva", "luis")
            try await wait { receiver.messages("/good").count == 2 }
            #expect(receiver.messages("/good").map { $0.text("person") } == ["ana", "eva"])
            #expect(try await server.send("GET /livez").status == 200)
            #expect(names.counts.values.allSatisfy { $0 == 1 }, "one look-up of a name at a time: \(names.counts)")
        }
        // The server has stopped although all of them still hang.
        names.gate.open()
        hung.open()
        receiver.close()
    }

    @Test("The error names silent name servers, and a late answer of theirs is used") func lateness() async throws {
        let names = Names()
        let receiver = try TestReceiver()
        defer { receiver.close() }
        try await withServer {
            $0.webhooks = (try? .init(allowing: "late.example")) ?? $0.webhooks
            $0.webhooks.names = { names.addresses($0) }
            $0.webhooks.timeout = .milliseconds(1500)
        } _: { server in
            try await put(server, "late", "http://Late.example:\(receiver.port)/late")
            for _ in 0..<2 {
                let reply = try await server.send("POST /v1/webhooks/late/test")
                #expect(reply.body.contains("the name servers have not answered within 1.0 s"), "\(reply.body)")
            }
            names.gate.open()
            try await wait {
                try await server.send("POST /v1/webhooks/late/test").body.contains(#""taken":true"#)
            }
            #expect(names.counts == ["late.example": 1])
        }
    }

    @Test("One person's flood, whose first message hangs, does not delay others' messages", arguments: [true, false])
    func flood(isOrdered: Bool) async throws {
        let gate = Gate()
        let receiver = try TestReceiver { if $0.text("person") == "flooder" { gate.wait() } }
        defer { receiver.close() }
        let count = RandomCases.count(300, all: 3000)
        try await withServer {
            $0.webhooks = (try? .init(allowing: "127.0.0.1")) ?? $0.webhooks
            $0.webhooks.timeout = .seconds(3000)
        } _: { server in
            let others = (0..<count).map { "p\($0)" }
            try await server.add(["flooder", "ana", "luis"] + others)
            try await put(server, "all", "http://127.0.0.1:\(receiver.port)/all", #","ordered":\#(isOrdered)"#)
            for other in others { try await ask(server, "flooder", other) }
            try await ask(server, "ana", "luis")
            try await wait { receiver.messages("/all").contains { $0.text("person") == "ana" } }
            let before = receiver.messages("/all").count - 1
            #expect(before <= (isOrdered ? 1 : 6), "\(before) of the flood were sent")
            gate.open()
            try await wait { receiver.messages("/all").count == count + 1 }
            let reported = receiver.messages("/all").filter { $0.text("person") == "flooder" }.compactMap {
                $0.text("other")
            }
            #expect(isOrdered ? reported == others : Set(reported) == Set(others))
        }
    }
}
