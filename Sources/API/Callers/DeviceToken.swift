internal import Crypto
internal import Foundation
internal import Model

/// What a device shows: a word, the number that stands for the device, and a secret of 256 random bits.
///
/// The number finds what the secret is compared with, so that no search depends on the secret.
struct DeviceToken {
    private static let word = "cercadevice"

    let number: DeviceNumber
    private let secret: Data

    /// A token with a secret that was drawn just now.
    init(number: DeviceNumber, secret: Data) {
        self.number = number
        self.secret = secret
    }

    /// Nil for text that is no token of a device.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.word, let number = Int32(parts[1]), number >= 0,
            let secret = Base64URL.decode(parts[2]), secret.count == 32
        else { return nil }
        self.init(number: DeviceNumber(number), secret: secret)
    }

    /// 256 random bits.
    static func drawSecret() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

    static func hash(_ secret: Data) -> TokenHash { TokenHash(SHA256.hash(data: secret)) }

    var hash: TokenHash { Self.hash(secret) }

    var text: String { "\(Self.word).\(number).\(Base64URL.encode(secret))" }
}
