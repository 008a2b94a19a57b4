#if Cluster
    internal import Foundation

    /// A request for the last message of a subject.
    private struct LastRequest: Encodable { var lastBySubj: String }

    private struct Stored: Decodable {
        struct Message: Decodable {
            var seq: UInt64
            var data: Data?
        }
        var message: Message
    }

    extension CommandLog {
        private static let agreed = "settings"
        private static let noMessage = 10_037

        /// Checks that all nodes on the log use equal settings, and records this node's settings.
        ///
        /// The record expires after ``LogSettings/lease``, so that the nodes can use other settings after all have
        /// stopped. A node that continues must call this again before the record expires.
        ///
        /// - Parameter words: the settings; equal settings must give equal text.
        /// - Returns: nil if all nodes agree, else the settings of the others.
        /// - Throws: ``LogError``.
        public func agree(on words: String) async throws(LogError) -> String? {
            while true {
                let last = try await lastAgreed()
                if let last, last.words != words { return last.words }
                if try await writeLease(Self.agreed, words, over: last?.revision ?? 0) != nil { return nil }
            }
        }

        private func lastAgreed() async throws(LogError) -> (words: String, revision: UInt64)? {
            do throws(LogError) {
                let request = LastRequest(lastBySubj: "$KV.\(settings.name).\(Self.agreed)")
                let stored: Stored = try await ask("STREAM.MSG.GET.\(leases)", request)
                return (String(decoding: stored.message.data ?? Data(), as: UTF8.self), stored.message.seq)
            } catch {
                guard case .refused(Self.noMessage, _) = error else { throw error }
                return nil
            }
        }
    }
#endif
