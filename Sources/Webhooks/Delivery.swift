internal import Discovery
package import Interchange
package import Model

/// An attempt to deliver a message.
package struct Delivery: Sendable {
    /// The id of the message, the same for each attempt.
    let id: String
    /// The number of the event; nil for another message.
    var event: Int64?
    /// The type of the event, or another word.
    let type: String
    let at: Timestamp
    let took: Duration
    let reply: WebhookSender.Reply

    /// Whether the receiver accepted it.
    var isAccepted: Bool { reply.status.map { (200..<300).contains($0) } ?? false }

    package func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("event", event)
        json.member("type", type)
        json.member("at", at)
        json.member("took_ms", took.milliseconds)
        json.member("status", reply.status.map(Int64.init))
        json.member("error", reply.fault)
        json.member("taken", isAccepted)
    }
}

/// A message to a receiver: an event, a `reset` if events are missing, or a `test`.
package struct WebhookMessage: Sendable {
    let id: String
    var event: Int64?
    let type: String
    let body: [UInt8]

    /// An event, whose id includes its time because an older database that is restored may reuse its number.
    init(_ event: EventView) {
        id = "\(event.number)-\(event.at.milliseconds)"
        (self.event, type) = (event.number, event.type.rawValue)
        body = JSONWriter.object { $0.event(event) }
    }

    /// Another message; `number` is the number of the event before it.
    package init(_ type: String, after number: Int64, at now: Timestamp) {
        (id, self.type) = ("\(type)-\(number)-\(now.milliseconds)", type)
        body = JSONWriter.object { json in
            json.member("type", type)
            json.member("at", now)
        }
    }
}
