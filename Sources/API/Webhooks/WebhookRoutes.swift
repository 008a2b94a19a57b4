internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Webhooks

/// Webhooks of services: URLs that events are sent to, and that may hold secrets of the receivers.
struct WebhookRoutes {
    let engine: Engine
    let seal: CursorSeal
    let rules: WebhookRules
    let dispatcher: WebhookDispatcher

    func add(to routes: inout RouteTable) {
        routes.chapter = "Webhooks"
        routes.on(
            .get, "/v1/webhooks", for: .service,
            .init(
                "Lists the webhooks", as: "listWebhooks", [Paging.longLimit, Paging.cursor, Self.fields],
                answers: .page(of: .webhook, named: "Webhook"), onlyReads: false), list)
        routes.on(
            .get, Self.path, for: .service,
            .init(
                "Returns a webhook", as: "getWebhook", [Self.fields], answers: .document(.webhook), onlyReads: false),
            get)
        routes.on(
            .put, Self.path, for: .service,
            .init(
                "Creates or replaces a webhook; the secret of a new one is returned once", as: "putWebhook",
                takes: .json(.webhookForm), headers: [.conditions], answers: .written(.webhook),
                problems: [.tooManyWebhooks]), put)
        routes.act(
            .delete, Self.path, for: .service, .init("Deletes a webhook", as: "deleteWebhook", headers: [.conditions]),
            in: engine
        ) { call in try DeleteWebhook(call.id("id"), if: call.condition) }
        routes.on(
            .post, "\(Self.path)/rotate", for: .service,
            .init(
                "Replaces the secret of a webhook, and returns it, once", as: "rotateWebhookSecret",
                answers: .ok(.webhookSecret)), rotate)
        routes.on(
            .post, "\(Self.path)/test", for: .service,
            .init(
                "Sends a message of type `test`, and returns the result", as: "testWebhook", answers: .ok(.delivery),
                work: .long), test)
        addDeliveries(to: &routes)
    }

    private func addDeliveries(to routes: inout RouteTable) {
        routes.act(
            .post, "\(Self.path)/redeliver", for: .service,
            .init("Delivers kept events again, from a given one on", as: "redeliverEvents", [Self.from]), in: engine
        ) { call in try Redeliver(to: call.id("id"), from: call[Self.from]) }
        routes.on(
            .get, "\(Self.path)/deliveries", for: .service,
            .init(
                "Lists the results of the last deliveries since the start of the service", as: "listDeliveries",
                answers: .ok(.deliveries), onlyReads: false), deliveries)
    }

    private static let path = "/v1/webhooks/{id}"
    private static let from = Parameter<Int64>(
        "from", "the `id` of the event", .integer(1...Int64(1) << 53), isRequired: true
    ) { call throws(Problem) in
        guard let text = call.query.text("from") else { throw call.query.missing("from") }
        guard let number = Int64(text), (1...1 << 53).contains(number) else {
            throw call.query.invalid("from", "the id of an event")
        }
        return number
    }
    private static let fields = Paging.fields([
        "id", "url", "types", "person", "place", "product", "group", "fence", "ordered", "disabled",
    ])

    @Sendable private func list(_ call: Call) async throws -> Answer {
        let limit = try call[Paging.longLimit]
        let after: WebhookID? = try seal.id(call)
        let columns = try call[Self.fields]
        let webhooks = engine.read { $0.webhooks(after: after, atMost: limit + 1) }
        return try PageAnswer(
            webhooks, limit: limit, columns: columns, seal: { try seal.seal($0.value.id, call) },
            write: { $0.webhook($1.value) }
        ).answer(to: call).unstored
    }

    private func webhook(_ call: Call) throws -> Versioned<Webhook> {
        let id: WebhookID = try call.id("id")
        return try engine.read { state throws(Refusal) in try state.webhook(id) }
    }

    @Sendable private func get(_ call: Call) async throws -> Answer {
        let columns = try call[Self.fields]
        return Document(try webhook(call)).answer(to: call, columns) { $0.webhook($1) }.unstored
    }

    @Sendable private func put(_ call: Call) async throws -> Answer {
        let id: WebhookID = try call.id("id")
        let webhook = try Fields.read(await call.json()) { Webhook(&$0, id: id, fault: rules.fault) }
        let secret = WebhookSecret.draw()
        let written = try await engine.perform(
            PutWebhook(Write(webhook, if: call.condition), secret: secret), for: call)
        return written.answer { json in
            json.webhook(webhook)
            if written.isNew { json.member("secret", secret.text) }
        }.tagged(written.revision).unstored
    }

    @Sendable private func rotate(_ call: Call) async throws -> Answer {
        let id: WebhookID = try call.id("id")
        let secret = WebhookSecret.draw()
        try await engine.perform(RotateWebhook(id, secret: secret), for: call)
        return Answer.object { json in
            json.member("secret", secret.text)
            json.member("former_until", call.received + WebhookSecrets.overlap)
        }.unstored
    }

    @Sendable private func test(_ call: Call) async throws -> Answer {
        let webhook = try webhook(call).value
        let message = WebhookMessage("test", after: 0, at: call.received)
        guard let delivery = try await dispatcher.send(message, to: webhook) else {
            throw Refusal.unknown(.webhook, webhook.id.any)
        }
        return Answer.object { delivery.write(to: &$0) }.unstored
    }

    @Sendable private func deliveries(_ call: Call) async throws -> Answer {
        let id = try webhook(call).value.id
        let progress = engine.read { $0.progress(ofWebhook: id) }
        return Answer.object { json in
            json.objects("items", dispatcher.deliveries(of: id)) { $1.write(to: &$0) }
            json.member("through", progress?.through)
            json.member("waiting", progress.map { Int64($0.waiting.count) })
        }.unstored
    }
}

extension Schema {
    private static let members: [String: Schema] = [
        "id": id,
        "url": text(1...2000, pattern: "^https?://[A-Za-z0-9._:\\[\\]-]+([/?][!\"$-~]*)?$").described(
            "https, unless `webhooks.allow` lists the host"),
        "types": list(of: word(EventType.self), atLeast: 1).described("By default all that are kept"),
        "person": id.described("Only events that concern this person, with whom the webhook is deleted"), "place": id,
        "product": id, "group": id, "fence": id,
        "ordered": flag.described("A person's next event waits until the previous one is accepted; by default true"),
        "disabled": word(Webhook.Disablement.self).described(
            "Why nothing is sent; writing the webhook enables it again"),
    ]

    static let webhookForm = form(members, required: ["url"]).apart("place", "product", "group", "fence")
        .named("WebhookForm")
    static let webhook = object(
        members.merging(["secret": text().described("The secret of a new webhook, which signs its messages")]) { $1 }
    ).named("Webhook")
    static let webhookSecret = object(
        ["secret": text(), "former_until": time.described("Until when the former secret signs too")],
        required: ["secret", "former_until"]
    ).named("WebhookSecret")
    static let delivery = object(
        [
            "id": text().described("The `webhook-id` of the message, the same for each attempt"),
            "event": integer().described("The `id` of the event"), "type": text(), "at": time, "took_ms": count,
            "status": integer(100...599).described("The status that the receiver answered"),
            "error": text().described("Why no answer was received"), "taken": flag,
        ], required: ["id", "type", "at", "took_ms", "taken"]
    ).named("Delivery")
    static let deliveries = object(
        [
            "items": list(of: delivery, atMost: WebhookDispatcher.remembered).described("Newest first"),
            "through": integer().described("The `id` of the last event considered, some seconds ago"),
            "waiting": count.described("The number of these events not delivered yet"),
        ], required: ["items"]
    ).named("Deliveries")
}

extension WebhookSecret {
    /// Draws 256 random bits.
    static func draw() -> WebhookSecret { WebhookSecret(DeviceToken.drawSecret()) }

    /// The text that is returned once, when the secret is created.
    var text: String { "whsec_\(Data(bytes).base64EncodedString())" }
}
