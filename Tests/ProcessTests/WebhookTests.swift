import Foundation
import Laws
import Testing

/// Webhooks from the real program to a real receiver, which verifies signatures with another project's library.
@Suite(.serialized, .timeLimit(.minutes(60))) struct WebhookTests {
    private func withReceiver(_ body: (Receiver, URL) async throws -> Void) async throws {
        try await withFolder { folder in
            let receiver = try await Receiver(folder)
            defer { receiver.stop() }
            try await body(receiver, folder.appending(path: "data"))
        }
    }

    private func makePeople(_ count: Int, _ service: Service) async throws {
        for number in 0..<count {
            #expect(try await service.send("PUT /v1/people/p\(number)", #"{"name":"P"}"#).status == 201)
        }
    }

    @Test("Kills lose no kept event, and each person's events are in order") func keptEvents() async throws {
        try await withReceiver { receiver, data in
            var service = try await Service(data: data, environment: receiver.allow)
            try await makePeople(12, service)
            try await receiver.take("all", "ok", service)
            try await receiver.take("flaky", "flaky", service, #","ordered":false"#)
            var asked: Set<String> = []
            for round in 0..<4 {
                for number in 0..<12 {
                    for other in 0..<12 where (number + other) % 4 == round && number < other {
                        let status = try await service.send("PUT /v1/people/p\(number)/friends/p\(other)").status
                        #expect(status < 300)
                        asked.insert("p\(number) p\(other)")
                    }
                }
                service.kill()
                service = try await Service(data: data, environment: receiver.allow)
            }
            for name in ["all", "flaky"] {
                let messages = try await receiver.messages(name) { messages in
                    let reported = messages.map { "\($0.body.person ?? "") \($0.body.other ?? "")" }
                    // `flaky` refuses each event at first.
                    let times = Dictionary(reported.map { ($0, 1) }, uniquingKeysWith: +)
                    return Set(reported) == asked && times.values.allSatisfy { $0 > (name == "flaky" ? 1 : 0) }
                }
                #expect(messages.allSatisfy { $0.verified == [true] && $0.body.type == "friend.asked" })
                let ids = Dictionary(grouping: messages, by: \.body.id).mapValues { Set($0.map(\.id)) }
                #expect(ids.values.allSatisfy { $0.count == 1 }, "the id is the same each time")
                guard name == "all" else { continue }
                for (person, reported) in Dictionary(grouping: messages, by: \.body.person) {
                    var first: [Int64] = []
                    for id in reported.compactMap(\.body.id) where !first.contains(id) { first.append(id) }
                    #expect(first == first.sorted(), "\(person ?? "")")
                }
            }
            service.kill()
        }
    }

    private func deliveries(_ name: String, _ service: Service, until text: String) async throws -> String {
        var body = ""
        try await wait(
            until: {
                body = try await service.send("GET /v1/webhooks/\(name)/deliveries").body
                return body.contains(text)
            }, { "no \(text) in \(body)" })
        return body
    }

    @Test("Receivers that misbehave delay no other webhook") func misbehavingReceivers() async throws {
        try await withReceiver { receiver, data in
            let service = try await Service(data: data, environment: receiver.allow)
            try await makePeople(3, service)
            for kind in ["silent", "endless", "redirect", "gone", "ok"] { try await receiver.take(kind, kind, service) }
            try await service.send("PUT /v1/people/p0/friends/p1")
            try await service.send("PUT /v1/people/p0/friends/p2")
            let messages = try await receiver.messages("ok") { $0.count == 2 }
            #expect(messages.compactMap(\.body.other) == ["p1", "p2"])
            _ = try await receiver.messages("endless") { $0.count == 2 }
            #expect(try await deliveries("endless", service, until: #""status":200"#).contains(#""taken":true"#))
            _ = try await deliveries("redirect", service, until: #""status":302,"taken":false"#)
            #expect(try receiver.messages("redirect").allSatisfy { $0.kind == "redirect" }, "it leads nowhere")
            try await service.logs("its receiver answered 410 Gone")
            #expect(try await service.send("GET /v1/webhooks/gone").body.contains(#""disabled":"gone""#))
            #expect(try receiver.messages("gone").count == 1)
            _ = try await receiver.messages("silent") { !$0.isEmpty }
            if RandomCases.runsAll {
                _ = try await deliveries("silent", service, until: #""error":"no answer within 15.0 s""#)
            }
            #expect(try Set(receiver.messages("silent").map(\.id)).count == 1, "the second waits for the first")
            var metrics = ""
            try await wait(
                until: {
                    metrics = try await service.send("GET /metrics").body
                    return metrics.contains(#"cerca_webhooks{state="disabled"} 1"#)
                }, { metrics })
            #expect(service.stop() == 0)
        }
    }

    @Test("A webhook can be tested, rotated, and redelivered to") func testAndRotation() async throws {
        try await withReceiver { receiver, data in
            let service = try await Service(data: data, environment: receiver.allow)
            try await makePeople(3, service)
            try await receiver.take("hook", "ok", service, #","types":["friend.asked","ping.moved"]"#)
            let test = try await service.send("POST /v1/webhooks/hook/test").body
            #expect(test.contains(#""type":"test""#) && test.contains(#""status":200,"taken":true"#), "\(test)")
            let rotated = try await service.send("POST /v1/webhooks/hook/rotate").body
            try receiver.learn("hook", rotated, beside: try receiver.secret("hook"))
            try await service.send("PUT /v1/people/p0/friends/p1")
            try await service.send("POST /v1/pings", #"{"person":"p2","lat":39.47,"lon":-0.37}"#)
            let messages = try await receiver.messages("hook") { $0.count == 3 }
            #expect(messages.map(\.verified) == [[true], [true, true], [true, true]], "both secrets sign")
            let asked = try #require(messages.first { $0.body.type == "friend.asked" })
            #expect(messages.contains { $0.body.type == "ping.moved" && $0.body.person == "p2" })
            let from = try #require(asked.body.id)
            #expect(try await service.send("POST /v1/webhooks/hook/redeliver?from=\(from)").status == 204)
            let again = try await receiver.messages("hook") { $0.count == 5 }
            #expect(again.dropFirst(3).first { $0.body.type == "friend.asked" }?.id == asked.id)
            // Events that were only in memory are missing after a kill, which is reported first.
            try await receiver.take("late", "down", service, #","types":["ping.moved"]"#)
            try await service.send("POST /v1/pings", #"{"person":"p1","lat":39.47,"lon":-0.37}"#)
            _ = try await receiver.messages("late") { $0.contains { $0.body.type == "ping.moved" } }
            service.kill()
            let second = try await Service(data: data, environment: receiver.allow)
            let late = try await receiver.messages("late") { $0.contains { $0.body.type == "reset" } }
            #expect(late.last?.verified == [true])
            second.kill()
        }
    }
}
