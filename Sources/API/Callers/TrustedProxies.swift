internal import Foundation
internal import HTTPTypes
internal import Webhooks

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
