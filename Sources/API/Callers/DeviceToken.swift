internal import Crypto
internal import Foundation
internal import Model

/// A device's token: a prefix, the device's number, and a secret of 256 random bits.
///
/// The number finds the hash to compare with, so that no lookup depends on the secret.
struct DeviceToken {
    private static let word = "cercadevice"

    let number: DeviceNumber
    private let secret: Data

    /// Creates a token with a newly drawn secret.
    init(number: DeviceNumber, secret: Data) {
        self.number = number
        self.secret = secret
    }

    /// Returns nil for text that is not a device token.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.word, let number = Int32(parts[1]), number >= 0,
            let secret = Base64URL.decode(parts[2]), secret.count == 32
        else { return nil }
        self.init(number: DeviceNumber(number), secret: secret)
    }

    /// Draws 256 random bits.
    static func drawSecret() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

    static func hash(_ secret: Data) -> TokenHash { TokenHash(SHA256.hash(data: secret)) }

    var hash: TokenHash { Self.hash(secret) }

    var text: String { "\(Self.word).\(number).\(Base64URL.encode(secret))" }
}
