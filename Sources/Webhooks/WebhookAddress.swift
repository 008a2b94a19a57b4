internal import Foundation
internal import NIOCore

/// The destination of a webhook, parsed from its URL.
struct WebhookAddress: Hashable, Sendable {
    let isSecure: Bool
    /// A name, or an address without the brackets of IPv6.
    let host: String
    let port: Int

    /// Returns nil for text that is not an http or https URL, or that has a user, a password or a fragment.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.user == nil,
            url.password == nil, url.fragment == nil, let host = url.host
        else { return nil }
        isSecure = scheme == "https"
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = url.port ?? (isSecure ? 443 : 80)
        guard !self.host.isEmpty, self.host.utf8.allSatisfy(Self.isOfHost), (1...65_535).contains(port) else {
            return nil
        }
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

/// The destinations that webhooks may reach.
public struct WebhookRules: Sendable {
    /// Hosts that may be reached without TLS and at any address, each at one port or at all ports.
    private var allowed: Set<String> = []
    /// How long a receiver has to answer.
    public var timeout = Duration.seconds(15)
    /// Resolves names in tests; nil for the system's lookup.
    package var names: (@Sendable (String) -> [String])?
    /// A monotonic clock, by which messages are retried and given up; tests replace it.
    package var elapsed: @Sendable () -> Duration = { WebhookRules.start.duration(to: .now) }

    private static let start = ContinuousClock.now

    /// Allows only TLS and public addresses.
    public init() {}

    /// Allows hosts such as `hooks.internal` or `127.0.0.1:9000`, separated by commas, besides public ones.
    ///
    /// - Throws: ``WebhookRulesError`` for an invalid entry.
    public init(allowing text: String) throws(WebhookRulesError) {
        for entry in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) where !entry.isEmpty {
            // One colon may precede a port; more belong to an IPv6 address without brackets.
            let isBare = !entry.hasPrefix("[") && entry.count(where: { $0 == ":" }) > 1
            let authority = isBare ? "[\(entry)]" : entry
            guard !authority.contains("/"), !authority.contains("?"),
                let address = WebhookAddress("https://\(authority)/")
            else { throw WebhookRulesError(entry: entry) }
            let hasPort = !isBare && authority.firstMatch(of: /:\d+$/) != nil
            allowed.insert(hasPort ? "\(address.host.lowercased()) \(address.port)" : address.host.lowercased())
        }
    }

    /// Whether a host is explicitly allowed.
    func allows(_ address: WebhookAddress) -> Bool {
        let host = address.host.lowercased()
        return allowed.contains(host) || allowed.contains("\(host) \(address.port)")
    }

    /// The fault of a URL; nil if events may be sent to it, provided that its name resolves to public addresses.
    package func fault(of text: String) -> String? {
        guard let address = WebhookAddress(text) else {
            return "is not an address such as https://hooks.example/cerca, without a password and a fragment"
        }
        if allows(address) { return nil }
        guard address.isSecure else { return "is not https; the setting webhooks.allow lists hosts that need not be" }
        if let literal = try? SocketAddress(ipAddress: address.host, port: 0), !literal.isPublic {
            return "is not the address of a host on the internet; the setting webhooks.allow lists others"
        }
        return nil
    }
}

/// An entry of allowed hosts that is invalid.
public struct WebhookRulesError: Error, Hashable {
    /// The entry.
    public var entry: String
}

extension IPAddress {
    /// IPv4 addresses that are not public, from the registry of special-purpose addresses (IANA, RFC 6890): this
    /// network, private, shared, loopback, link-local with cloud metadata, protocols, documentation, relays,
    /// benchmarks, multicast, reserved.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap { IPNetwork($0) }

    /// All IPv6 addresses ever allocated to hosts; NAT64, private, link-local and multicast addresses are outside.
    private static let global = IPNetwork("2000::/3")
    /// The part of it that embeds IPv4 addresses, or is for documentation.
    private static let specialIPv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].compactMap {
        IPNetwork($0)
    }

    /// Whether the address is public, so that any host on the internet can reach it.
    var isPublic: Bool {
        if bytes.count == 4 { return !Self.special.contains { $0.contains(self) } }
        return (Self.global?.contains(self) ?? false) && !Self.specialIPv6.contains { $0.contains(self) }
    }
}
