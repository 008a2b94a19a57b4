internal import Foundation
internal import HTTPTypes
internal import NIOCore

/// The proxies whose forwarded client addresses are trusted.
///
/// No other client's are: it could choose any address.
public struct TrustedProxies: Hashable, Sendable {
    private var networks: [IPNetwork] = []

    /// Trusts no proxy.
    public init() {}

    /// Parses addresses and networks such as `10.0.0.0/8`, separated by commas.
    ///
    /// - Throws: ``TrustedProxiesError`` for any other entry.
    public init(_ text: String) throws(TrustedProxiesError) {
        for entry in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) where !entry.isEmpty {
            guard let network = IPNetwork(entry) else { throw TrustedProxiesError(entry: entry) }
            networks.append(network)
        }
    }

    /// Whether a network contains all addresses of its IP version.
    public var isEverybody: Bool { networks.contains(where: \.isEverything) }

    /// Whether the address belongs to a trusted proxy.
    func trusts(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// The client's address: the connection's, or the one that trusted proxies report.
    ///
    /// `X-Forwarded-For` and `Forwarded` (RFC 7239) are read from their end, where the nearest proxy wrote. A proxy
    /// passes on the header that it does not write itself. So if both are present and disagree, neither is trusted.
    func origin(of headers: HTTPFields, from connection: IPAddress?) -> IPAddress? {
        guard let connection, trusts(connection) else { return connection }
        let lists = [Self.forwardedFor(headers), Self.forwarded(headers)].compactMap(\.self)
        let origins = Set(lists.map { origin(of: $0, connection) })
        return origins.count == 1 ? origins.first : connection
    }

    /// The last address of a list that is not a trusted proxy; a proxy that reports no address counts as the client.
    private func origin(of list: [IPAddress?], _ connection: IPAddress) -> IPAddress {
        var origin = connection
        for address in list.reversed() {
            guard trusts(origin), let address else { break }
            origin = address
        }
        return origin
    }

    private static func forwardedFor(_ headers: HTTPFields) -> [IPAddress?]? {
        guard let name = HTTPField.Name("X-Forwarded-For"), headers[name] != nil else { return nil }
        return headers[values: name].flatMap { $0.split(separator: ",") }.map { IPAddress(node: String($0)) }
    }

    private static func forwarded(_ headers: HTTPFields) -> [IPAddress?]? {
        guard let name = HTTPField.Name("Forwarded"), headers[name] != nil else { return nil }
        return headers[values: name].flatMap { $0.split(separator: ",") }.map { element in
            let pairs = element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let node = pairs.first { $0.lowercased().hasPrefix("for=") }
            return node.flatMap { IPAddress(node: String($0.dropFirst(4))) }
        }
    }
}

/// An entry of trusted proxies that is neither an address nor a network.
public struct TrustedProxiesError: Error, Hashable {
    /// The entry.
    public var entry: String
}

/// An IP address, of 4 or 16 bytes; an IPv4-mapped IPv6 address becomes IPv4.
struct IPAddress: Hashable, Sendable {
    let bytes: [UInt8]

    private init(_ bytes: [UInt8]) {
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// The remote address of a connection; nil for a Unix domain socket.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address)?: self.init(withUnsafeBytes(of: address.address.sin_addr) { Array($0) })
        case .v6(let address)?: self.init(withUnsafeBytes(of: address.address.sin6_addr) { Array($0) })
        case .unixDomainSocket?, nil: return nil
        }
    }

    /// The address, or the first 64 bits of IPv6, which is what a customer gets.
    var network: [UInt8] { bytes.count == 16 ? Array(bytes.prefix(8)) : bytes }

    init?(_ text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// An address as proxies write it: possibly quoted, with a port, or in brackets if it is IPv6.
    init?(node: String) {
        let text = node.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            self.init(text[..<end].dropFirst())
        } else {
            self.init(text.count(where: { $0 == ":" }) == 1 ? text.prefix { $0 != ":" } : text[...])
        }
    }
}

/// A network, given by an address prefix.
struct IPNetwork: Hashable, Sendable {
    private let address: IPAddress
    private let bits: Int

    /// Parses a network such as `10.0.0.0/8`, or an address.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }), parts.count <= 2 else { return nil }
        let most = address.bytes.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : most, (0...most).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    var isEverything: Bool { bits == 0 }

    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return zip(address.bytes, other.bytes).enumerated().allSatisfy { index, pair in
            let left = min(max(bits - index * 8, 0), 8)
            return (pair.0 ^ pair.1) >> UInt8(8 - left) == 0
        }
    }
}
