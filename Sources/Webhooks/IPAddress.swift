internal import Foundation
package import NIOCore

/// An IP address, of 4 or 16 bytes; an IPv4-mapped IPv6 address becomes IPv4.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    private init(_ bytes: [UInt8]) {
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// The remote address of a connection; nil for a Unix domain socket.
    package init?(_ address: SocketAddress?) {
        // By their places in the structures of the system, whose names NIO does not export.
        switch address {
        case .v4(let address)?: self.init(withUnsafeBytes(of: address.address) { Array($0[4..<8]) })
        case .v6(let address)?: self.init(withUnsafeBytes(of: address.address) { Array($0[8..<24]) })
        case .unixDomainSocket?, nil: return nil
        }
    }

    /// The address, or the first 64 bits of IPv6, which is what a customer gets.
    package var network: [UInt8] { bytes.count == 16 ? Array(bytes.prefix(8)) : bytes }

    package init?(_ text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// An address as proxies write it: possibly quoted, with a port, or in brackets if it is IPv6.
    package init?(node: String) {
        let text = node.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            self.init(text[..<end].dropFirst())
        } else {
            self.init(text.count(where: { $0 == ":" }) == 1 ? text.prefix { $0 != ":" } : text[...])
        }
    }
}

/// A network, given by an address prefix.
package struct IPNetwork: Hashable, Sendable {
    private let address: IPAddress
    private let bits: Int

    /// Parses a network such as `10.0.0.0/8`, or an address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }), parts.count <= 2 else { return nil }
        let most = address.bytes.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : most, (0...most).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    package var isEverything: Bool { bits == 0 }

    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return zip(address.bytes, other.bytes).enumerated().allSatisfy { index, pair in
            let left = min(max(bits - index * 8, 0), 8)
            return (pair.0 ^ pair.1) >> UInt8(8 - left) == 0
        }
    }
}
