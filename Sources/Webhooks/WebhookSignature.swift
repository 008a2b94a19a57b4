internal import Crypto
internal import Foundation
internal import Model

/// Message signatures (specification Standard Webhooks 1.0.0).
enum WebhookSignature {
    /// The headers of a message: its id, the time it is sent, and a signature by each secret.
    static func headers(
        id: String, at now: Timestamp, _ body: [UInt8], _ secrets: [WebhookSecret]
    ) -> [(String, String)] {
        let seconds = now.milliseconds / 1000
        let signed = Array("\(id).\(seconds).".utf8) + body
        let signatures = secrets.map { secret in
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret.bytes))
            return "v1,\(Data(code).base64EncodedString())"
        }
        return [
            ("webhook-id", id), ("webhook-timestamp", String(seconds)),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
