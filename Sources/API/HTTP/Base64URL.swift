internal import Foundation

/// Base64url without padding (RFC 4648, section 5), which needs no escaping in URLs and headers.
enum Base64URL {
    private static let digits = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        let digits = digits
        var text: [UInt8] = []
        text.reserveCapacity((4 * bytes.count + 2) / 3)
        var (bits, count) = (UInt32(0), 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns nil for another alphabet, and for any but the canonical encoding of the bytes (RFC 4648, section 3.5).
    static func decode(_ text: some StringProtocol) -> Data? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let data = Data(base64Encoded: String(text).replacing("-", with: "+").replacing("_", with: "/") + padding)
        return data.flatMap { encode($0) == text ? $0 : nil }
    }
}
