/// The id of a webhook, unique among webhooks.
public typealias WebhookID = ID<Webhook>
/// The number of a webhook.
public typealias WebhookNumber = Number<Webhook>

extension EventType: Codable {}

/// A URL to which events are sent.
public struct Webhook: Codable, Hashable, Sendable {
    /// A subject other than a person to which events are limited.
    public enum Subject: Codable, Hashable, Sendable {
        case place(PlaceID)
        case product(ProductID)
        case group(GroupID)
        case fence(FenceID)

        /// The untyped id.
        public var any: AnyID {
            switch self {
            case .place(let id): id.any
            case .product(let id): id.any
            case .group(let id): id.any
            case .fence(let id): id.any
            }
        }
    }

    /// The reason why a webhook was disabled.
    public enum Disablement: String, Codable, CaseIterable, Hashable, Sendable {
        /// The receiver answered that it is gone.
        case gone
        /// All deliveries failed for days.
        case failing
    }

    /// The id, unique among webhooks.
    public var id: WebhookID
    /// The URL of the receiver.
    public var url: String
    /// The event types, in the order of ``EventType``.
    public var types: [EventType]
    /// Limits events to this person, with whom the webhook is deleted.
    public var person: PersonID?
    /// Limits events to this subject.
    public var subject: Subject?
    /// Whether a person's next event waits until the previous one was accepted.
    public var isOrdered = true
    /// Why it is disabled; nil while events are sent.
    public var disabled: Disablement?

    /// Creates a webhook for all stored event types.
    public init(id: WebhookID, url: String) {
        (self.id, self.url, types) = (id, url, EventType.allCases.filter(\.isKept))
    }
}

/// The secret that signs deliveries, shared by the service and the receiver.
public struct WebhookSecret: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Random bytes.
    public let bytes: [UInt8]

    /// Creates a secret from random bytes; storage rejects fewer than 24.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// A constant, so that the secret is in no message.
    public var description: String { "a secret" }
}

/// The current secret of a webhook, and the previous one while it is still valid.
public struct WebhookSecrets: Codable, Hashable, Sendable {
    /// How long the previous secret still signs after a rotation.
    public static let overlap = Duration.seconds(86_400)

    /// The current secret.
    public let current: WebhookSecret
    private let former: WebhookSecret?
    private let until: Timestamp?

    /// Creates the first secret.
    public init(_ current: WebhookSecret) { (self.current, former, until) = (current, nil, nil) }

    /// Restores stored secrets.
    package init(_ current: WebhookSecret, former: WebhookSecret?, until: Timestamp?) {
        (self.current, self.former, self.until) = (current, former, until)
    }

    /// Replaces the current secret, which still signs for another day.
    public func rotated(to secret: WebhookSecret, at now: Timestamp) -> WebhookSecrets {
        WebhookSecrets(secret, former: current, until: now + Self.overlap)
    }

    /// The secrets that sign at an instant, newest first.
    public func signing(at now: Timestamp) -> [WebhookSecret] {
        guard let former, let until, now < until else { return [current] }
        return [current, former]
    }

    /// The previous secret as stored.
    package var stored: (secret: WebhookSecret?, until: Timestamp?) { (former, until) }
}

/// The delivery progress of a webhook.
public struct WebhookProgress: Codable, Hashable, Sendable {
    /// A pending delivery.
    public struct Waiting: Codable, Hashable, Sendable {
        /// The number of the event; for a reset, the number of the last event before it.
        public let number: Int64
        /// Whether it reports that events are missing.
        public var isReset = false
        /// The number of attempts.
        public var tries = 0
        /// When the first attempt failed.
        public var failed: Timestamp?
        /// When the next attempt is due.
        public var due: Timestamp

        /// Creates a pending delivery.
        public init(_ number: Int64, isReset: Bool = false, due: Timestamp) {
            (self.number, self.isReset, self.due) = (number, isReset, due)
        }
    }

    /// A sequence of events that are delivered in order and share a part of the pending queue.
    public enum Lane: Codable, Hashable, Sendable {
        /// The events of a person.
        case person(PersonNumber)
        /// The events of a place, product or group, without a person.
        case subject(AnyID)
        /// All other events.
        case other
    }

    /// A lane whose share was full: its events from a number on must be read again.
    public struct Deferred: Codable, Hashable, Sendable {
        /// The lane.
        public let lane: Lane
        /// The number of its first event that did not fit.
        public let from: Int64

        /// Creates a deferred lane that resumes with an event.
        public init(_ lane: Lane, from number: Int64) { (self.lane, from) = (lane, number) }
    }

    /// A counter of manual repositionings; results of earlier epochs are ignored.
    public var epoch: Int64 = 0
    /// The number of the last event examined: all events up to it were delivered, did not match, or are pending.
    public var through: Int64
    /// The pending deliveries, in order.
    public var waiting: [Waiting] = []
    /// The lanes with later events, up to ``through``, that are not queued yet; nil for none.
    public var deferred: [Deferred]?
    /// When a delivery last succeeded.
    public var succeeded: Timestamp?

    /// Creates progress with nothing to deliver up to an event.
    public init(through number: Int64) { through = number }

    /// The number of the first event that may still need delivery.
    public var owed: Int64 {
        let waiting = waiting.first { !$0.isReset }?.number ?? through + 1
        return min(waiting, deferred?.map(\.from).min() ?? waiting)
    }

    /// Resumes from another event, in a new epoch.
    public func going(onFrom number: Int64, resetting isReset: Bool, at now: Timestamp) -> WebhookProgress {
        var progress = self
        progress.epoch += 1
        progress.waiting.removeAll { $0.number >= number && !$0.isReset }
        let deferred = progress.deferred?.filter { $0.from < number } ?? []
        progress.deferred = deferred.isEmpty ? nil : deferred
        progress.through = min(through, number - 1)
        for index in progress.waiting.indices {
            (progress.waiting[index].tries, progress.waiting[index].failed, progress.waiting[index].due) = (0, nil, now)
        }
        if isReset, !waiting.contains(where: \.isReset) {
            progress.waiting.append(Waiting(progress.through, isReset: true, due: now))
        }
        return progress
    }
}

/// A change of webhooks.
public enum WebhookChange: Sendable {
    /// A webhook was created.
    case made(Versioned<Webhook>, WebhookSecrets, WebhookProgress)
    /// A webhook was changed.
    case put(Versioned<Webhook>)
    /// The secrets of a webhook were replaced.
    case secrets(WebhookNumber, WebhookSecrets)
    /// A webhook delivered something, or resumes from another event.
    case progressed(WebhookNumber, WebhookProgress)
    /// A webhook was deleted.
    case deleted(WebhookNumber)
}
