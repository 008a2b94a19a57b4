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
        _ live: TestLive, _ name: String = "hook", at time: Timestamp = morning,
        _ change: (inout Webhook) -> Void = { _ in }
    ) async throws {
        var webhook = Webhook(id: id(name), url: "https://hooks.example/\(name)")
        change(&webhook)
        try await live.perform(PutWebhook(Write(webhook), secret: secret), at: time)
    }

    /// The outbox with which the worker of a webhook begins.
    private func outbox(_ live: TestLive, at now: Timestamp = morning) async throws -> OutboxUnderTest {
        let (record, progress) = try #require(live.live.read { $0.activeWebhooks }.first)
        return OutboxUnderTest(try await live.live.outbox(of: record.value, progress, at: now))
    }

    private func deliver(_ box: OutboxUnderTest, _ live: TestLive) async throws -> [Int64] {
        box.take(try await live.live.events(after: box.outbox.through), at: morning)
        var numbers: [Int64] = []
        while let message = box.next(at: morning) {
            box.end(message, .delivered, at: morning)
            numbers.append(message.event?.number ?? -1)
        }
        return numbers
    }

    @Test("A webhook continues after a restart where it was") func restart() async throws {
        try await withFolder { folder in
            var live = try TestLive(folder: folder, rules: PingRules())
            try await live.add(person("ana"), person("luis"), person("eva"))
            try await put(live)
            try await live.perform(Befriend(id("ana"), id("luis")))
            try await live.perform(Befriend(id("eva"), id("luis")))
            let box = try await outbox(live)
            box.take(try await live.live.events(after: box.outbox.through), at: morning)
            let messages = [box.next(at: morning), box.next(at: morning)].compactMap(\.self)
            #expect(messages.compactMap { $0.event?.fact.person?.id.text } == ["ana", "eva"])
            box.end(messages[1], .delivered, at: morning)
            try await live.live.note([(0, box.outbox)], at: morning)
            try await live.perform(Befriend(id("ana"), id("eva")))
            let before = live.account
            live = try await live.restarted()
            #expect(live.account == before)
            let again = try await outbox(live)
            #expect(again.progress.waiting.map(\.number) == messages.prefix(1).map(\.waiting.number))
            let first = try #require(again.next(at: morning))
            #expect(first.event?.fact.other?.id.text == "luis")
            again.end(first, .delivered, at: morning)
            #expect(try await deliver(again, live).count == 1)
            #expect(try await deliver(again, live).isEmpty)
            try live.store.close()
        }
    }

    @Test("Owed events are kept") func owedEvents() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"), person("eva"))
            try await put(live)
            try await live.perform(MakeFriends(id("ana"), id("luis")))
            let owed = try await live.store.events(after: 0, atMost: 10).map(\.number)
            #expect(live.live.read { $0.progress(ofWebhook: id("hook"))?.owed } == owed.first)
            let later = morning + .seconds(2 * 86_400)
            #expect(
                try await live.store.forgetEvents(before: later, owed: owed[0], atLeastFrom: morning) == 0)
            #expect(try await live.store.forgetEvents(before: later, owed: owed[0] + 1, atLeastFrom: morning) == 1)
        }
    }

    @Test("Events of a deleted person are not sent, and their webhook is deleted") func deletedPerson() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"), person("eva"))
            try await put(live)
            try await put(live, "of-ana") { $0.person = id("ana") }
            try await live.perform(Befriend(id("ana"), id("luis")))
            let event = try #require(try await live.live.events(after: 0).events.last)
            #expect(try live.live.told(event, at: morning)?.person == id("ana"))
            try await live.perform(DeletePerson(id("ana")))
            #expect(try live.live.told(event, at: morning) == nil)
            #expect(live.live.read { $0.webhooks(after: nil, atMost: 10).map(\.value.id.text) } == ["hook"])
        }
    }

    @Test("A late note of progress does not undo a redelivery") func lateNote() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"), person("eva"))
            try await put(live)
            try await live.perform(Befriend(id("ana"), id("luis")))
            try await live.perform(Befriend(id("eva"), id("luis")))
            let box = try await outbox(live)
            let numbers = try await deliver(box, live)
            #expect(numbers.count == 2)
            try await live.live.note([(0, box.outbox)], at: morning)
            try await live.perform(Redeliver(to: id("hook"), from: numbers[1]))
            try await live.live.note([(0, box.outbox)], at: morning)
            let again = try await outbox(live)
            #expect(try await deliver(again, live) == [numbers[1]])
        }
    }

    @Test("A disabled webhook resumes with a reset") func resumption() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            try await put(live)
            try await live.perform(Befriend(id("ana"), id("luis")))
            let box = try await outbox(live)
            box.take(try await live.live.events(after: box.outbox.through), at: morning)
            box.end(try #require(box.next(at: morning)), .gone, at: morning)
            try await live.live.note([(0, box.outbox)], at: morning)
            #expect(live.live.read { $0.activeWebhooks.isEmpty })
            #expect(
                try live.live.read { picture throws(Refusal) in try picture.webhook(id("hook")).value.disabled }
                    == .gone)
            try await put(live, at: morning + .seconds(10))
            let again = try await outbox(live, at: morning + .seconds(10))
            let first = try #require(again.next(at: morning + .seconds(10)))
            #expect(first.event?.fact.type == .friendAsked)
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
        try await withLive { live in
            for number in 0..<100 { try await put(live, "hook\(number)") }
            await #expect(throws: Refusal.tooManyWebhooks(100)) { try await put(live, "more") }
            try await put(live, "hook7") { $0.isOrdered = false }
        }
    }

    @Test("People cannot create webhooks") func servicesOnly() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            let action = PutWebhook(Write(Webhook(id: id("hook"), url: "https://hooks.example/")), secret: secret)
            await #expect(throws: Refusal.notAllowed) { try await live.perform(action, by: .person(id("ana"))) }
        }
    }
}
