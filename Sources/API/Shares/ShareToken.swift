internal import Foundation
internal import Model

/// What the address of a link ends with: 256 random bits.
struct ShareToken {
    private let secret: Data

    /// One that is drawn now.
    init() { secret = DeviceToken.drawSecret() }

    /// Nil for text that is no such token.
    init?(_ text: String) {
        guard let secret = Base64URL.decode(text), secret.count == 32 else { return nil }
        self.secret = secret
    }

    var hash: TokenHash { DeviceToken.hash(secret) }
    var text: String { Base64URL.encode(secret) }
}
