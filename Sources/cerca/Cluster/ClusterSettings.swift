internal import Configuration
internal import Foundation

/// The settings for following the log of a cluster; all except ``servers`` have defaults.
struct ClusterSettings {
    var servers: [String]
    /// The name of the log's stream, and its number of replicas if this node creates it.
    var name: String
    var replicas: Int
    /// Files with credentials for the log and for the system account, the certificate authority of the servers, and the
    /// node's own certificate with its key.
    var credentials, systemCredentials, authority: String?
    var certificate: (chain: String, key: String)?
    /// Addresses of other nodes, or of their load balancer, from which a copy is fetched; `token` is a file with a
    /// token of scope `service`.
    var nodes: [String]
    var token: String?
    /// Whether a log is accepted that may lose acknowledged messages.
    var allowsUnsafe: Bool
}

extension Settings {
    /// The settings for following a log; nil to follow none.
    var cluster: ClusterSettings? {
        get throws {
            let servers = try list("cluster.servers")
            guard !servers.isEmpty else { return nil }
            let own = (try file("cluster.certificate"), try file("cluster.key"))
            guard (own.0 == nil) == (own.1 == nil) else {
                throw SettingsError("cluster.certificate and cluster.key: one without the other is not enough")
            }
            var certificate: (chain: String, key: String)?
            if case (let chain?, let key?) = own { certificate = (chain, key) }
            return ClusterSettings(
                servers: servers, name: try text("cluster.log"), replicas: try integer("cluster.replicas", 1...5),
                credentials: try file("cluster.credentials"), systemCredentials: try file("cluster.system_credentials"),
                authority: try file("cluster.authority"), certificate: certificate, nodes: try list("cluster.nodes"),
                token: try file("cluster.token_file"), allowsUnsafe: try isYes("cluster.unsafe"))
        }
    }

    private func list(_ name: String) throws -> [String] {
        try text(name).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func file(_ name: String) throws -> String? {
        let path = try text(name)
        return path.isEmpty ? nil : path
    }

    private func isYes(_ name: String) throws -> Bool {
        switch try text(name) {
        case "yes": return true
        case "no": return false
        case let other: throw SettingsError("\(name): is '\(other)'; must be yes or no")
        }
    }

    static let clusterKeys = Group(
        "Cluster",
        [
            Key(
                "cluster.servers", .string(""),
                "servers of the replicated log, such as `tls://n1.example:4222`, separated by commas; none for a single service"
            ),
            Key("cluster.log", .string("CERCA"), "the name of the log"),
            Key("cluster.replicas", .int(3), "the number of servers that keep a log created by this node"),
            Key(
                "cluster.credentials", .string(""),
                "a file with credentials for the log: one line `user:password`, or the output of `nsc`"),
            Key(
                "cluster.system_credentials", .string(""),
                "a file with credentials for the system account, in which servers report how they keep the log"),
            Key(
                "cluster.authority", .string(""),
                "a PEM file of the certificate authorities of servers, and perhaps of other nodes"),
            Key(
                "cluster.certificate", .string(""),
                "a PEM file with the certificate of this node, if servers request one"),
            Key("cluster.key", .string(""), "a PEM file with its private key"),
            Key(
                "cluster.nodes", .string(""),
                "addresses of other nodes, such as `https://a.example`, from which a copy is fetched, separated by commas"
            ),
            Key("cluster.token_file", .string(""), "a file with a token of scope `service` for these nodes"),
            Key("cluster.lag_s", .double(5), "the maximum age of a ready node's state, in seconds"),
            Key("cluster.unsafe", .string("no"), "`yes` accepts a log that may lose acknowledged entries"),
        ])
}
