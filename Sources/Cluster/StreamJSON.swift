#if Cluster
    internal import Foundation

    /// The configuration of a stream in requests and answers of JetStream.
    struct StreamConfiguration: Codable, Equatable {
        var name: String
        var subjects: [String]?
        var retention = "limits"
        var storage = "file"
        var discard = "old"
        var numReplicas: Int
        var maxBytes: Int64?
        var maxAge: Int64?
        var maxMsgSize: Int?
        var maxMsgsPerSubject: Int64?
        var duplicateWindow: Int64?
        var denyDelete: Bool?
        var denyPurge: Bool?
        /// `async` if messages are acknowledged before they are stored.
        var persistMode: String?
    }

    /// The state of a stream as reported by JetStream.
    package struct StreamInfo: Decodable {
        struct State: Decodable {
            var firstSeq: UInt64
            var lastSeq: UInt64
        }
        struct Group: Decodable {
            struct Peer: Decodable {
                var name: String
                /// Whether it is up to date with the leader.
                var current: Bool?
                /// Nanoseconds since the last contact.
                var active: Int64?
            }
            var leader: String?
            var replicas: [Peer]?

            /// The maximum time since the last contact of a server that counts for the majority, in nanoseconds.
            private static let silence: Int64 = 3_000_000_000

            /// Whether a majority of the servers is with the reporting leader; an isolated server reports its last
            /// known state.
            var isMajority: Bool {
                guard let replicas, !replicas.isEmpty else { return true }
                let there = replicas.count { $0.current ?? false && $0.active ?? 0 < Self.silence }
                return leader != nil && 2 * (there + 1) > replicas.count + 1
            }
        }
        var config: StreamConfiguration
        var created: String
        var state: State
        var cluster: Group?

        /// The names of the servers that store the stream.
        var peers: Set<String> { Set([cluster?.leader].compactMap(\.self) + (cluster?.replicas ?? []).map(\.name)) }
    }

    /// An answer with an optional error.
    struct Complaint: Decodable {
        struct Reason: Decodable {
            var code: Int
            var errCode: Int?
            var description: String?

            /// Whether the error is temporary: a leader election, or an equal message in progress.
            var passes: Bool { code == 503 || code == 409 }
        }
        var error: Reason?
    }

    /// The acknowledgment that a majority has stored a message.
    struct Acknowledgement: Decodable {
        var seq: UInt64
        var duplicate: Bool?
    }

    struct ConsumerRequest: Encodable {
        struct Configuration: Encodable {
            var deliverPolicy = "by_start_sequence"
            var optStartSeq: UInt64
            var ackPolicy = "none"
            var inactiveThreshold: Int64 = 30_000_000_000
            var numReplicas = 1
            var memStorage = true
        }
        var streamName: String
        var config: Configuration
    }

    /// The answer to a ``ConsumerRequest``.
    struct ConsumerInfo: Decodable { var name: String }

    /// A request for messages; times in nanoseconds.
    struct PullRequest: Encodable {
        var batch: Int
        var maxBytes: Int
        var expires: Int64
        var idleHeartbeat: Int64
    }

    struct DeleteRequest: Encodable {
        var seq: UInt64
        var noErase = true
    }

    /// A server's report in the system account.
    package struct ServerReport: Decodable {
        struct Server: Decodable {
            var name: String
            var ver: String
        }
        struct Variables: Decodable {
            struct JetStream: Decodable {
                struct Configuration: Decodable { var syncAlways: Bool? }
                var config: Configuration?
            }
            var jetstream: JetStream?
        }
        var server: Server
        var data: Variables

        /// Whether the server syncs each message before the acknowledgment.
        var syncsAlways: Bool { data.jetstream?.config?.syncAlways ?? false }
    }

    /// JSON in JetStream's format.
    package enum StreamJSON {
        static func bytes(of value: some Encodable) throws(LogError) -> [UInt8] {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            do { return [UInt8](try encoder.encode(value)) } catch { throw .malformed("\(error)") }
        }

        /// - Throws: ``LogError/malformed(_:)``.
        package static func value<Value: Decodable>(_ type: Value.Type = Value.self, of bytes: [UInt8]) throws(LogError)
            -> Value
        {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            do { return try decoder.decode(type, from: Data(bytes)) } catch {
                throw .malformed(String(decoding: bytes.prefix(200), as: UTF8.self))
            }
        }
    }

    extension Duration {
        /// The duration in nanoseconds.
        var nanoseconds: Int64 {
            let (seconds, attoseconds) = components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }
#endif
