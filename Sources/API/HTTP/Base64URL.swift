internal import Foundation

/// Bytes as text that needs no escaping in addresses and headers (RFC 4648, section 5, without padding).
enum Base64URL {
    static func encode(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil for text in another alphabet.
    static func decode(_ text: some StringProtocol) -> Data? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: String(text).replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
