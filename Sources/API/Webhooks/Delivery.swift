internal import Discovery
internal import Interchange
internal import Model

/// An attempt to deliver something.
struct Delivery: Sendable {
    /// By which the receiver knows it, each time it is tried.
    let id: String
    /// The number of the event; nil for what is none.
    var event: Int64?
    /// The type of the event, or another word.
    let type: String
    let at: Timestamp
    let took: Duration
    let reply: Courier.Reply

    /// Whether it was taken.
    var isTaken: Bool { reply.status.map { (200..<300).contains($0) } ?? false }

    func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("event", event)
        json.member("type", type)
        json.member("at", at)
        json.member("took_ms", took.milliseconds)
        json.member("status", reply.status.map(Int64.init))
        json.member("error", reply.fault)
        json.member("taken", isTaken)
    }
}

extension Schema {
    static let delivery = object(
        [
            "id": text().described("The `webhook-id` of the message, the same each time it is tried"),
            "event": integer().described("The `id` of the event"), "type": text(), "at": time, "took_ms": count,
            "status": integer(100...599).described("What the receiver answered"),
            "error": text().described("Why there is no answer"), "taken": flag,
        ], required: ["id", "type", "at", "took_ms", "taken"]
    ).named("Delivery")
}

/// What is sent: an event, or that events are missing, or that somebody tries whether all is well.
struct WebhookMessage: Sendable {
    let id: String
    var event: Int64?
    let type: String
    let body: [UInt8]

    /// An event; the time is part of the id, for an older database that is restored may give its number again.
    init(_ event: ToldEvent) {
        id = "\(event.number)-\(event.at.milliseconds)"
        (self.event, type) = (event.number, event.type.rawValue)
        body = JSONWriter.object { $0.event(event) }
    }

    /// Says something else at an instant; `number` is that of the event before.
    init(_ type: String, after number: Int64, at now: Timestamp) {
        (id, self.type) = ("\(type)-\(number)-\(now.milliseconds)", type)
        body = JSONWriter.object { json in
            json.member("type", type)
            json.member("at", now)
        }
    }
}
