#if Cluster
    internal import Foundation

    /// That one node alone does something, until it ends.
    public struct Lease: Sendable {
        /// What it is for.
        public let name: String
        /// Who holds it.
        public let holder: String
        /// Grows with each lease and renewal: what is done under a lease is refused after that of a larger one was seen.
        public let revision: UInt64
        /// When it ends, by the clock of this machine: earlier than the servers think.
        public let end: ContinuousClock.Instant
    }

    extension CommandLog {
        /// Takes a lease.
        ///
        /// - Returns: nil if somebody holds it.
        /// - Throws: ``LogError``.
        public func takeLease(_ name: String, as holder: String) async throws(LogError) -> Lease? {
            try await writeLease(name, holder, over: 0)
        }

        /// Holds a lease for longer.
        ///
        /// - Returns: nil if it has ended.
        /// - Throws: ``LogError``.
        public func renew(_ lease: Lease) async throws(LogError) -> Lease? {
            try await writeLease(lease.name, lease.holder, over: lease.revision)
        }

        /// Gives a lease back, so that others need not wait for its end; nothing happens if it has ended.
        ///
        /// - Throws: ``LogError``.
        public func end(_ lease: Lease) async throws(LogError) {
            do throws(LogError) {
                let _: Complaint = try await ask("STREAM.MSG.DELETE.\(leases)", DeleteRequest(seq: lease.revision))
            } catch {
                // What is not there is not to be deleted.
                guard case .refused = error else { throw error }
            }
        }

        /// Writes who holds a lease, if its revision is still the one that is known; nil if it is not.
        func writeLease(_ name: String, _ holder: String, over revision: UInt64) async throws(LogError)
            -> Lease?
        {
            let start = ContinuousClock.now
            do throws(LogError) {
                // With a name of its own the try is acknowledged, not refused, when the first answer to it got lost.
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
