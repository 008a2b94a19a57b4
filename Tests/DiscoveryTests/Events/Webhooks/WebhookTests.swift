import Discovery
import Foundation
import Model
import Storage
import TestSupport
import Testing

/// Webhooks in memory and in the file.
@Suite struct WebhookTests {
    private let secret = WebhookSecret(0..<32)

    private func put(
        _ engine: TestEngine, _ name: String = "hook", at time: Timestamp = morning,
        _ change: (inout Webhook) -> Void = { _ in }
    ) async throws {
        var webhook = Webhook(id: id(name), url: "https://hooks.example/\(name)")
        change(&webhook)
        try await engine.perform(PutWebhook(Write(webhook), secret: secret), at: time)
    }

    /// The outbox with which the worker of a webhook begins.
    private func outbox(_ engine: TestEngine, at now: Timestamp = morning) async throws -> OutboxUnderTest {
        let (record, progress) = try #require(engine.engine.read { $0.activeWebhooks }.first)
        return OutboxUnderTest(try await engine.engine.outbox(of: record.value, progress, at: now))
    }

    private func deliver(_ box: OutboxUnderTest, _ engine: TestEngine) async throws -> [Int64] {
        box.take(try await engine.engine.events(after: box.outbox.through), at: morning)
        var numbers: [Int64] = []
        while let message = box.next(at: morning) {
            box.end(message, .delivered, at: morning)
            numbers.append(message.event?.number ?? -1)
        }
        return numbers
    }

    @Test("A webhook continues after a restart where it was") func restart() async throws {
        try await withFolder { folder in
            var engine = try TestEngine(folder: folder, rules: PingRules())
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await put(engine)
            try await engine.perform(Befriend(id("ana"), id("luis")))
            try await engine.perform(Befriend(id("eva"), id("luis")))
            let box = try await outbox(engine)
            box.take(try await engine.engine.events(after: box.outbox.through), at: morning)
            let messages = [box.next(at: morning), box.next(at: morning)].compactMap(\.self)
            #expect(messages.compactMap { $0.event?.payload.person?.id.text } == ["ana", "eva"])
            box.end(messages[1], .delivered, at: morning)
            try await engine.engine.note([(0, box.outbox)], at: morning)
            try await engine.perform(Befriend(id("ana"), id("eva")))
            let before = engine.canonicalDump
            engine = try await engine.restarted()
            #expect(engine.canonicalDump == before)
            let again = try await outbox(engine)
            #expect(again.progress.waiting.map(\.number) == messages.prefix(1).map(\.waiting.number))
            let first = try #require(again.next(at: morning))
            #expect(first.event?.payload.other?.id.text == "luis")
            again.end(first, .delivered, at: morning)
            #expect(try await deliver(again, engine).count == 1)
            #expect(try await deliver(again, engine).isEmpty)
            try engine.store.close()
        }
    }

    @Test("Owed events are kept") func owedEvents() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await put(engine)
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            let owed = try await engine.store.events(after: 0, atMost: 10).map(\.number)
            #expect(engine.engine.read { $0.progress(ofWebhook: id("hook"))?.owed } == owed.first)
            let later = morning + .seconds(2 * 86_400)
            #expect(
                try await engine.store.forgetEvents(before: later, owed: owed[0], atLeastFrom: morning) == 0)
            #expect(try await engine.store.forgetEvents(before: later, owed: owed[0] + 1, atLeastFrom: morning) == 1)
        }
    }

    @Test("Events of a deleted person are not sent, and their webhook is deleted") func deletedPerson() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await put(engine)
            try await put(engine, "of-ana") { $0.person = id("ana") }
            try await engine.perform(Befriend(id("ana"), id("luis")))
            let event = try #require(try await engine.engine.events(after: 0).events.last)
            #expect(try engine.engine.reported(event, at: morning)?.person == id("ana"))
            try await engine.perform(DeletePerson(id("ana")))
            #expect(try engine.engine.reported(event, at: morning) == nil)
            #expect(engine.engine.read { $0.webhooks(after: nil, atMost: 10).map(\.value.id.text) } == ["hook"])
        }
    }

    @Test("A late note of progress does not undo a redelivery") func lateNote() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await put(engine)
            try await engine.perform(Befriend(id("ana"), id("luis")))
            try await engine.perform(Befriend(id("eva"), id("luis")))
            let box = try await outbox(engine)
            let numbers = try await deliver(box, engine)
            #expect(numbers.count == 2)
            try await engine.engine.note([(0, box.outbox)], at: morning)
            try await engine.perform(Redeliver(to: id("hook"), from: numbers[1]))
            try await engine.engine.note([(0, box.outbox)], at: morning)
            let again = try await outbox(engine)
            #expect(try await deliver(again, engine) == [numbers[1]])
        }
    }

    @Test("A disabled webhook resumes with a reset") func resumption() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await put(engine)
            try await engine.perform(Befriend(id("ana"), id("luis")))
            let box = try await outbox(engine)
            box.take(try await engine.engine.events(after: box.outbox.through), at: morning)
            box.end(try #require(box.next(at: morning)), .gone, at: morning)
            try await engine.engine.note([(0, box.outbox)], at: morning)
            #expect(engine.engine.read { $0.activeWebhooks.isEmpty })
            #expect(
                try engine.engine.read { state throws(Refusal) in try state.webhook(id("hook")).value.disabled }
                    == .gone)
            try await put(engine, at: morning + .seconds(10))
            let again = try await outbox(engine, at: morning + .seconds(10))
            let first = try #require(again.next(at: morning + .seconds(10)))
            #expect(first.event?.payload.type == .friendAsked)
            #expect(
                again.next(at: morning + .seconds(10))?.event == nil && again.progress.waiting.last?.isReset == true)
        }
    }

    @Test("Both secrets sign for a day after a rotation") func rotation() {
        let secrets = WebhookSecrets(secret).rotated(to: WebhookSecret(32..<64), at: morning)
        #expect(secrets.signing(at: morning + .seconds(86_399)).map(\.bytes.first) == [32, 0])
        #expect(secrets.signing(at: morning + .seconds(86_400)).map(\.bytes.first) == [32])
        #expect("\(secrets) \(WebhookSecrets(secret))".contains("1, 2") == false, "no message has it")
    }

    @Test("At most 100 webhooks exist") func limit() async throws {
        try await withEngine { engine in
            for number in 0..<100 { try await put(engine, "hook\(number)") }
            await #expect(throws: Refusal.tooManyWebhooks(100)) { try await put(engine, "more") }
            try await put(engine, "hook7") { $0.isOrdered = false }
        }
    }

    @Test("People cannot create webhooks") func servicesOnly() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let action = PutWebhook(Write(Webhook(id: id("hook"), url: "https://hooks.example/")), secret: secret)
            await #expect(throws: Refusal.notAllowed) { try await engine.perform(action, by: .person(id("ana"))) }
        }
    }
}
