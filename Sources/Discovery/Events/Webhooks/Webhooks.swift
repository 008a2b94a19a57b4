public import Model

/// The webhooks of the in-memory state.
struct Webhooks: Sendable {
    /// Maximum number of webhooks.
    static let most = 100

    /// A webhook with its secrets and delivery progress.
    struct Entry: Sendable {
        var record: Versioned<Webhook>
        var secrets: WebhookSecrets
        var progress: WebhookProgress
    }

    private(set) var nextNumber: WebhookNumber = 0
    private(set) var entries: [WebhookNumber: Entry] = [:]
    private var numbers: [WebhookID: WebhookNumber] = [:]

    subscript(id: WebhookID) -> Entry? { numbers[id].flatMap { entries[$0] } }

    /// Reserves all numbers below this one.
    mutating func skip(to number: WebhookNumber) { nextNumber = max(nextNumber, number) }

    /// The number of the first event that some webhook has not delivered.
    var owed: Int64 {
        entries.values.lazy.filter { $0.record.value.disabled == nil }.map(\.progress.owed).min() ?? .max
    }

    /// The webhooks that filter by a person.
    func numbers(about person: PersonID) -> [WebhookNumber] {
        entries.values.filter { $0.record.value.person == person }.map(\.record.number).sorted()
    }

    mutating func apply(_ change: WebhookChange) {
        switch change {
        case .made(let record, let secrets, let progress):
            entries[record.number] = Entry(record: record, secrets: secrets, progress: progress)
            numbers[record.value.id] = record.number
            nextNumber = max(nextNumber, record.number.advanced(by: 1))
        case .put(let record): entries[record.number]?.record = record
        case .secrets(let number, let secrets): entries[number]?.secrets = secrets
        case .progressed(let number, let progress): entries[number]?.progress = progress
        case .deleted(let number):
            if let entry = entries.removeValue(forKey: number) { numbers[entry.record.value.id] = nil }
        }
    }

    /// The facts about webhooks for ``LiveState/canonicalDump``.
    var canonicalDump: [String] {
        entries.map { number, entry in
            "webhook \(number) \(entry.record.revision) \(entry.record.value) \(entry.secrets.current.bytes) "
                + "\(String(describing: entry.secrets.stored.secret?.bytes)) \(entry.progress)"
        }.sorted()
    }
}

/// Lookups of webhooks.
extension LiveState {
    /// Returns a webhook.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func webhook(_ id: WebhookID) throws(Refusal) -> Versioned<Webhook> {
        guard let entry = webhooks[id] else { throw .unknown(.webhook, id.any) }
        return entry.record
    }

    /// Returns up to `most` webhooks by ID after a cursor.
    public func webhooks(after id: WebhookID?, atMost most: Int) -> [Versioned<Webhook>] {
        let all = webhooks.entries.values.map(\.record).sorted { $0.value.id < $1.value.id }
        return Array(all.drop { record in id.map { record.value.id <= $0 } ?? false }.prefix(most))
    }

    /// The enabled webhooks, with their delivery progress.
    package var activeWebhooks: [(record: Versioned<Webhook>, progress: WebhookProgress)] {
        webhooks.entries.values.filter { $0.record.value.disabled == nil }.map { ($0.record, $0.progress) }
    }

    /// The secrets of a webhook; nil if it does not exist.
    package func secrets(ofWebhook id: WebhookID) -> WebhookSecrets? { webhooks[id]?.secrets }

    /// The delivery progress of a webhook; nil if it does not exist.
    package func progress(ofWebhook id: WebhookID) -> WebhookProgress? { webhooks[id]?.progress }
}
