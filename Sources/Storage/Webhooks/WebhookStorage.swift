internal import Foundation
internal import GRDB
public import Model

extension Transaction {
    func write(_ change: WebhookChange) throws {
        switch change {
        case .made(let record, let secrets, let progress):
            try run(
                """
                INSERT INTO webhooks
                    (number, id, revision, document, secret, former_secret, former_until_ms, progress)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    record.number, record.value.id.text, record.revision, try ColumnText.json(record.value),
                    Data(secrets.current.bytes), secrets.stored.secret.map { Data($0.bytes) },
                    secrets.stored.until?.milliseconds, try ColumnText.json(progress),
                ])
        case .put(let record):
            try run(
                "UPDATE webhooks SET (revision, document) = (?, ?) WHERE number = ?",
                [record.revision, try ColumnText.json(record.value), record.number])
        case .secrets(let number, let secrets):
            try run(
                "UPDATE webhooks SET (secret, former_secret, former_until_ms) = (?, ?, ?) WHERE number = ?",
                [
                    Data(secrets.current.bytes), secrets.stored.secret.map { Data($0.bytes) },
                    secrets.stored.until?.milliseconds, number,
                ])
        case .progressed(let number, let progress):
            try run("UPDATE webhooks SET progress = ? WHERE number = ?", [try ColumnText.json(progress), number])
        case .deleted(let number): try erase("webhooks", number)
        }
    }
}

extension Store {
    /// Calls `body` with each webhook.
    public func forEachWebhook(
        _ body: (Versioned<Webhook>, WebhookSecrets, WebhookProgress) throws -> Void
    ) throws(StorageError) {
        try forEach(
            """
            SELECT number, revision, document, secret, former_secret, former_until_ms, progress FROM webhooks
            ORDER BY number
            """
        ) { row in
            let record: Versioned<Webhook>, progress: WebhookProgress
            do {
                record = Versioned(
                    number: try row.integer(0), revision: row[1], value: try ColumnText.value(row[2]))
                progress = try ColumnText.value(row[6])
            } catch { throw StorageError.damaged("webhook \(row[0] as Int64): \(error)") }
            let secrets = WebhookSecrets(
                WebhookSecret(row[3] as Data), former: (row[4] as Data?).map { WebhookSecret($0) },
                until: (row[5] as Int64?).map { Timestamp(milliseconds: $0) })
            try body(record, secrets, progress)
        }
    }

    /// The given events that are still stored, in order.
    public func events(numbered numbers: [Int64]) async throws(StorageError) -> [Event] {
        let list = numbers.map(String.init).joined(separator: ",")
        return try await events(
            where: "events.number IN (SELECT value FROM json_each(?))", ["[\(list)]"], atMost: numbers.count)
    }
}
