#if Cluster
    internal import Foundation

    /// An exclusive right of one node to a task, which expires.
    public struct Lease: Sendable {
        /// The name of the task.
        public let name: String
        /// The node that holds the lease.
        public let holder: String
        /// A fencing token that grows with each lease and renewal: work under a smaller revision than one seen is
        /// refused.
        public let revision: UInt64
        /// The end of the lease by the clock of this machine, earlier than by the servers.
        public let end: ContinuousClock.Instant
    }

    extension CommandLog {
        /// Acquires a lease.
        ///
        /// - Returns: nil if another node holds it.
        /// - Throws: ``LogError``.
        public func takeLease(_ name: String, as holder: String) async throws(LogError) -> Lease? {
            try await writeLease(name, holder, over: 0)
        }

        /// Extends a lease.
        ///
        /// - Returns: nil if it has ended.
        /// - Throws: ``LogError``.
        public func renew(_ lease: Lease) async throws(LogError) -> Lease? {
            try await writeLease(lease.name, lease.holder, over: lease.revision)
        }

        /// Releases a lease, so that others need not wait for its expiry; does nothing if it has ended.
        ///
        /// - Throws: ``LogError``.
        public func end(_ lease: Lease) async throws(LogError) {
            do throws(LogError) {
                let _: Complaint = try await ask("STREAM.MSG.DELETE.\(leases)", DeleteRequest(seq: lease.revision))
            } catch {
                // A missing message need not be deleted.
                guard case .refused = error else { throw error }
            }
        }

        /// Writes the holder of a lease if its revision is still current; nil otherwise.
        func writeLease(_ name: String, _ holder: String, over revision: UInt64) async throws(LogError)
            -> Lease?
        {
            let start = ContinuousClock.now
            do throws(LogError) {
                // With a unique name a retry is acknowledged, not refused, if the first answer was lost.
                let headers = [
                    "Nats-Expected-Last-Subject-Sequence": "\(revision)", "Nats-Msg-Id": UUID().uuidString,
                ]
                let revision = try await put(Array(holder.utf8), at: "$KV.\(settings.name).\(name)", headers)
                return Lease(name: name, holder: holder, revision: revision, end: start + settings.lease * 0.8)
            } catch {
                guard case .refused(let code, _) = error, Self.otherSequences.contains(code) else { throw error }
                return nil
            }
        }
    }
#endif
