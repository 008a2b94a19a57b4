/// The id of a webhook, unique among webhooks.
public typealias WebhookID = ID<Webhook>
/// The number of a webhook.
public typealias WebhookNumber = Number<Webhook>

extension EventType: Codable {}

/// An address to which events are sent.
public struct Webhook: Codable, Hashable, Sendable {
    /// What else than a person its events are about.
    public enum Subject: Codable, Hashable, Sendable {
        case place(PlaceID)
        case product(ProductID)
        case group(GroupID)
        case fence(FenceID)

        /// The id, whatever it is of.
        public var any: AnyID {
            switch self {
            case .place(let id): id.any
            case .product(let id): id.any
            case .group(let id): id.any
            case .fence(let id): id.any
            }
        }
    }

    /// Why nothing is sent any more.
    public enum Disablement: String, Codable, CaseIterable, Hashable, Sendable {
        /// The receiver said that it is gone.
        case gone
        /// The receiver took nothing for days.
        case failing
    }

    /// The id, unique among webhooks.
    public var id: WebhookID
    /// Where events are sent.
    public var url: String
    /// Which events, in the order of ``EventType``.
    public var types: [EventType]
    /// Only those about this person, with whom it is deleted.
    public var person: PersonID?
    /// Only those about this.
    public var subject: Subject?
    /// Whether the next event of a person waits until the one before was taken.
    public var isOrdered = true
    /// Why nothing is sent any more; nil while events are sent.
    public var disabled: Disablement?

    /// A webhook for all events that are kept.
    public init(id: WebhookID, url: String) {
        (self.id, self.url, types) = (id, url, EventType.allCases.filter(\.isKept))
    }
}

/// What the deliveries of a webhook are signed with, known to the service and the receiver.
public struct WebhookSecret: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Random bytes.
    public let bytes: [UInt8]

    /// A secret of random bytes, of which the storage takes no fewer than 24.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Nothing, so that it is in no message.
    public var description: String { "a secret" }
}

/// The secret of a webhook, and the one before for as long as that signs too.
public struct WebhookSecrets: Codable, Hashable, Sendable {
    /// How long the one before signs after a rotation.
    public static let overlap = Duration.seconds(86_400)

    /// What signs.
    public let current: WebhookSecret
    private let former: WebhookSecret?
    private let until: Timestamp?

    /// A first secret.
    public init(_ current: WebhookSecret) { (self.current, former, until) = (current, nil, nil) }

    /// Secrets that were stored.
    package init(_ current: WebhookSecret, former: WebhookSecret?, until: Timestamp?) {
        (self.current, self.former, self.until) = (current, former, until)
    }

    /// A new secret in place of the current one, which signs for a day more.
    public func rotated(to secret: WebhookSecret, at now: Timestamp) -> WebhookSecrets {
        WebhookSecrets(secret, former: current, until: now + Self.overlap)
    }

    /// Those that sign at an instant, the newest first.
    public func signing(at now: Timestamp) -> [WebhookSecret] {
        guard let former, let until, now < until else { return [current] }
        return [current, former]
    }

    /// What is stored of the one before.
    package var stored: (secret: WebhookSecret?, until: Timestamp?) { (former, until) }
}

/// How far a webhook has come.
public struct WebhookProgress: Codable, Hashable, Sendable {
    /// Something that is still to be delivered.
    public struct Waiting: Codable, Hashable, Sendable {
        /// The number of the event; of a reset, that of the last event before it.
        public let number: Int64
        /// Whether it tells that events are missing.
        public var isReset = false
        /// How often it was tried.
        public var tries = 0
        /// When it was first tried in vain.
        public var failed: Timestamp?
        /// When it is tried next.
        public var due: Timestamp

        /// An event that may be sent at once.
        public init(_ number: Int64, isReset: Bool = false, due: Timestamp) {
            (self.number, self.isReset, self.due) = (number, isReset, due)
        }
    }

    /// Events that are delivered one after the other, and that have a share of the places for waiting events.
    public enum Lane: Codable, Hashable, Sendable {
        /// Those of a person.
        case person(PersonNumber)
        /// Those of a place, product or group, without a person.
        case subject(AnyID)
        /// All others.
        case other
    }

    /// A lane whose share was full: its events from one on have to be read again.
    public struct Deferred: Codable, Hashable, Sendable {
        /// The lane.
        public let lane: Lane
        /// The number of its first event that found no place.
        public let from: Int64

        /// A lane that goes on with an event.
        public init(_ lane: Lane, from number: Int64) { (self.lane, from) = (lane, number) }
    }

    /// Counts how often somebody said from where to go on: what was done before that does not count any more.
    public var epoch: Int64 = 0
    /// The number of the last event that was looked at: those up to it were delivered, or did not concern the webhook, or wait.
    public var through: Int64
    /// What waits, in order.
    public var waiting: [Waiting] = []
    /// The lanes of which later events, up to ``through``, do not wait yet; nil for none.
    public var deferred: [Deferred]?
    /// When something was last delivered.
    public var succeeded: Timestamp?

    /// Nothing of the events up to one is to be delivered.
    public init(through number: Int64) { through = number }

    /// The number of the first event that may still be to be delivered.
    public var owed: Int64 {
        let waiting = waiting.first { !$0.isReset }?.number ?? through + 1
        return min(waiting, deferred?.map(\.from).min() ?? waiting)
    }

    /// The same from another place on, whatever was done meanwhile.
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
    /// A webhook was made.
    case made(Versioned<Webhook>, WebhookSecrets, WebhookProgress)
    /// A webhook was changed.
    case put(Versioned<Webhook>)
    /// A webhook signs with other secrets.
    case secrets(WebhookNumber, WebhookSecrets)
    /// A webhook delivered something, or goes on from somewhere else.
    case progressed(WebhookNumber, WebhookProgress)
    /// A webhook is gone.
    case deleted(WebhookNumber)
}
