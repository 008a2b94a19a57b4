internal import Foundation

/// Bytes as text that needs no escaping in addresses and headers (RFC 4648, section 5, without padding).
enum Base64URL {
    static func encode(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil for text in another alphabet, and for any but the one spelling of the bytes (RFC 4648, section 3.5).
    static func decode(_ text: some StringProtocol) -> Data? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let data = Data(base64Encoded: String(text).replacing("-", with: "+").replacing("_", with: "/") + padding)
        return data.flatMap { encode($0) == text ? $0 : nil }
    }
}
