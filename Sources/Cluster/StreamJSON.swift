#if Cluster
    internal import Foundation

    /// What JetStream is told of a stream, and tells.
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
        /// `async` if messages are acknowledged before they are kept.
        var persistMode: String?
    }

    /// What JetStream tells of a stream.
    package struct StreamInfo: Decodable {
        struct State: Decodable {
            var firstSeq: UInt64
            var lastSeq: UInt64
        }
        struct Group: Decodable {
            struct Peer: Decodable {
                var name: String
                /// Whether it has all that the leader has.
                var current: Bool?
                /// How many nanoseconds ago it was heard of.
                var active: Int64?
            }
            var leader: String?
            var replicas: [Peer]?

            /// How long a server may not have been heard of that counts for the majority, in nanoseconds.
            private static let silence: Int64 = 3_000_000_000

            /// Whether a majority of the servers is with the leader who says so; one that is cut off says what it last knew.
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

        /// The servers that keep it, by name.
        var peers: Set<String> { Set([cluster?.leader].compactMap(\.self) + (cluster?.replicas ?? []).map(\.name)) }
    }

    /// An answer that says why not.
    struct Complaint: Decodable {
        struct Reason: Decodable {
            var code: Int
            var errCode: Int?
            var description: String?

            /// What is said while a leader is looked for, or while the same message is under way.
            var passes: Bool { code == 503 || code == 409 }
        }
        var error: Reason?
    }

    /// That a message is kept by a majority.
    struct Acknowledgement: Decodable {
        var seq: UInt64
        var duplicate: Bool?
    }

    /// What is asked of JetStream to have messages sent.
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

    /// The answer to that.
    struct ConsumerInfo: Decodable { var name: String }

    /// How many messages are wanted; times in nanoseconds.
    struct PullRequest: Encodable {
        var batch: Int
        var maxBytes: Int
        var expires: Int64
        var idleHeartbeat: Int64
    }

    /// That one message is to be deleted.
    struct DeleteRequest: Encodable {
        var seq: UInt64
        var noErase = true
    }

    /// What a server tells of itself in the system account.
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

        /// Whether it syncs each message before it acknowledges it.
        var syncsAlways: Bool { data.jetstream?.config?.syncAlways ?? false }
    }

    /// How JetStream writes JSON.
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
        /// Nanoseconds, as JetStream counts.
        var nanoseconds: Int64 {
            let (seconds, attoseconds) = components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }
#endif
