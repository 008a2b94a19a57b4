#if Cluster
    internal import Foundation

    /// That one message is wanted.
    private struct LastRequest: Encodable { var lastBySubj: String }

    /// A message that was asked for.
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

        /// Sees that all who use the log go by the same, and says so for them.
        ///
        /// What was said ends with ``LogSettings/lease``, so that they can go by something else after all have ended. Who goes by it
        /// for longer says it again before.
        ///
        /// - Parameter words: what it is, in the same words for the same.
        /// - Returns: nil if all do; what the others go by if that is something else.
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
