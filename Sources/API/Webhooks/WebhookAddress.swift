internal import Foundation
internal import NIOCore

/// Where a webhook sends to, as its address says.
struct WebhookAddress: Hashable, Sendable {
    let isSecure: Bool
    /// A name or an address, without the brackets of version 6.
    let host: String
    let port: Int

    /// Nil for what is no address of http or https, or holds a name and a password, or a fragment.
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

/// What a webhook may reach.
public struct WebhookRules: Sendable {
    /// Hosts that may be reached without TLS and at any address, each at one port or at all.
    private var allowed: Set<String> = []
    /// How long a receiver has for its answer.
    public var patience = Duration.seconds(15)
    /// Says, in tests, for which addresses a name stands; nil for what name servers say.
    package var names: (@Sendable (String) -> [String])?
    /// A clock that only ever goes on, by which it is decided when a message is tried, and given up; tests set it.
    package var elapsed: @Sendable () -> Duration = { WebhookRules.start.duration(to: .now) }

    private static let start = ContinuousClock.now

    /// TLS and addresses of the internet only.
    public init() {}

    /// Allows hosts such as `hooks.internal` or `127.0.0.1:9000`, separated by commas, beside what is on the internet.
    ///
    /// - Throws: ``WebhookRulesError`` for an entry that is none.
    public init(allowing text: String) throws(WebhookRulesError) {
        for entry in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) where !entry.isEmpty {
            // A port may be there; more colons are an address of version 6 without brackets.
            let isBare = !entry.hasPrefix("[") && entry.count(where: { $0 == ":" }) > 1
            let authority = isBare ? "[\(entry)]" : entry
            guard !authority.contains("/"), !authority.contains("?"),
                let address = WebhookAddress("https://\(authority)/")
            else { throw WebhookRulesError(entry: entry) }
            let hasPort = !isBare && authority.firstMatch(of: /:\d+$/) != nil
            allowed.insert(hasPort ? "\(address.host.lowercased()) \(address.port)" : address.host.lowercased())
        }
    }

    /// Whether a host was allowed by name.
    func allows(_ address: WebhookAddress) -> Bool {
        let host = address.host.lowercased()
        return allowed.contains(host) || allowed.contains("\(host) \(address.port)")
    }

    /// What is wrong with an address; nil for one to which events may be sent, if its name stands for addresses of the internet.
    func fault(of text: String) -> String? {
        guard let address = WebhookAddress(text) else {
            return "is no address such as https://hooks.example/cerca, without a password and a fragment"
        }
        if allows(address) { return nil }
        guard address.isSecure else { return "is not https; the setting webhooks.allow lists hosts that need not be" }
        if let literal = try? SocketAddress(ipAddress: address.host, port: 0), !literal.isOfInternet {
            return "is an address of no host on the internet; the setting webhooks.allow lists others"
        }
        return nil
    }
}

/// An entry of allowed hosts that is none.
public struct WebhookRulesError: Error, Hashable {
    /// The entry.
    public var entry: String
}

extension IPAddress {
    /// What of version 4 is no host that everybody can reach, by the registry of special addresses (IANA, RFC 6890): this network,
    /// private, shared, loopback, link-local with the metadata of clouds, protocols, documentation, relays, benchmarks, multicast,
    /// reserved.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap { IPNetwork($0) }

    /// All that was ever given to hosts of version 6: NAT64, private, link-local and multicast addresses lie elsewhere.
    private static let global = IPNetwork("2000::/3")
    /// What of that holds addresses of version 4, or is for documents.
    private static let specialOfSix = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].compactMap {
        IPNetwork($0)
    }

    /// Whether everybody on the internet can reach a host there.
    var isOfInternet: Bool {
        if bytes.count == 4 { return !Self.special.contains { $0.contains(self) } }
        return (Self.global?.contains(self) ?? false) && !Self.specialOfSix.contains { $0.contains(self) }
    }
}
