internal import Foundation
internal import Model

/// The secret at the end of a link's URL: 256 random bits.
struct ShareToken {
    private let secret: Data

    /// Draws a new token.
    init() { secret = DeviceToken.drawSecret() }

    /// Returns nil for text that is not a token.
    init?(_ text: String) {
        guard let secret = Base64URL.decode(text), secret.count == 32 else { return nil }
        self.secret = secret
    }

    var hash: TokenHash { DeviceToken.hash(secret) }
    var text: String { Base64URL.encode(secret) }
}
