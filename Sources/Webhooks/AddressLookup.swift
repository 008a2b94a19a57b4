internal import Foundation
internal import Model
internal import NIOCore
internal import Structures
internal import Synchronization

/// Resolves names to addresses.
///
/// The system's lookup blocks its thread until a name server answers, which may take a minute. So each lookup runs on a
/// thread of its own, and concurrent lookups of a name share one. A name without an answer delays no other name, and no
/// task.
final class AddressLookup: Sendable {
    /// A name without an address.
    struct Failure: Error {
        /// The reason, as shown to the receiver's owner.
        let reason: String
    }

    /// Returns the addresses of a name, and may block.
    typealias Resolver = @Sendable (_ name: String) throws(Failure) -> [SocketAddress]

    private typealias Answer = Result<[SocketAddress], Failure>

    private enum Entry {
        /// The name is being looked up.
        case pending(since: ContinuousClock.Instant, waiters: [AsyncStream<Answer>.Continuation])
        case known(Answer, until: ContinuousClock.Instant)

        func isOver(_ now: ContinuousClock.Instant) -> Bool {
            if case .known(_, let until) = self { until <= now } else { false }
        }
    }

    /// The most concurrent lookups: one per webhook, and some of webhooks that were replaced since.
    static let most = 128
    private static let lifetime = Duration.seconds(60)
    /// A webhook is tried again after five seconds at the earliest.
    private static let lifetimeOfFailure = Duration.seconds(4)

    private let resolve: Resolver
    private let timeout: Duration
    private let threads = BlockingThreads(most: AddressLookup.most)
    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameters:
    ///   - timeout: How long callers wait for an answer. The lookup itself continues, and its answer is kept.
    ///   - resolve: The system's lookup, or another one in tests.
    init(timeout: Duration, resolve: @escaping Resolver = AddressLookup.system) {
        (self.timeout, self.resolve) = (timeout, resolve)
    }

    /// Returns the addresses of a name, in the order in which they should be tried (RFC 6724), with port 0.
    ///
    /// Answers are cached for a minute, failures for some seconds.
    ///
    /// - Throws: ``Failure``, or `CancellationError` without waiting for a name server.
    func addresses(of host: String) async throws -> [SocketAddress] {
        if let address = try? SocketAddress(ipAddress: host, port: 0) { return [address] }
        let name = host.lowercased()
        let (answers, waiter) = AsyncStream.makeStream(of: Answer.self)
        switch entry(name, waiter) {
        case .known(let answer, _): return try answer.get()
        case .pending(let since, _):
            let rest = timeout - (.now - since)
            let answer =
                try await rest <= .zero
                ? nil
                : within(rest) {
                    for await answer in answers { return answer }
                    throw CancellationError()
                }
            guard let answer else {
                throw Failure(reason: "the name servers have not answered within \(timeout.seconds) s")
            }
            return try answer.get()
        }
    }

    /// Returns the entry of a name, and starts a lookup if necessary.
    private func entry(_ name: String, _ waiter: AsyncStream<Answer>.Continuation) -> Entry {
        let now = ContinuousClock.now
        let (entry, isFirst) = entries.withLock { entries in
            switch entries[name] {
            case .known(let answer, let until)? where now < until: return (Entry.known(answer, until: until), false)
            case .pending(let since, var waiters)?:
                // Callers that gave up are released with the lookup, so no caller joins an overdue one.
                if now - since < timeout { waiters.append(waiter) }
                let entry = Entry.pending(since: since, waiters: waiters)
                entries[name] = entry
                return (entry, false)
            default:
                entries = entries.filter { !$1.isOver(now) }
                let entry = Entry.pending(since: now, waiters: [waiter])
                entries[name] = entry
                return (entry, true)
            }
        }
        guard isFirst else { return entry }
        let isStarted = threads.run { [self] in
            end(name, Answer { () throws(Failure) in try resolve(name) }, keptFor: Self.lifetime)
        }
        if !isStarted {
            end(name, .failure(Failure(reason: "too many names are being looked up")), keptFor: .zero)
        }
        return entry
    }

    private func end(_ name: String, _ answer: Answer, keptFor lifetime: Duration) {
        let waiters = entries.withLock { entries -> [AsyncStream<Answer>.Continuation] in
            guard case .pending(_, let waiters)? = entries[name] else { return [] }
            let isFailure = (try? answer.get()) == nil
            entries[name] = .known(answer, until: .now + (isFailure ? min(lifetime, Self.lifetimeOfFailure) : lifetime))
            return waiters
        }
        for waiter in waiters {
            waiter.yield(answer)
            waiter.finish()
        }
    }

    /// Resolves a name with the system: its files, and the name servers of `/etc/resolv.conf`.
    @Sendable static func system(_ name: String) throws(Failure) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &first)
        guard code == 0 else {
            throw Failure(reason: "the name has no address: \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = first
        while let info = next?.pointee {
            if let address = info.ai_addr {
                switch info.ai_family {
                case AF_INET:
                    addresses.append(
                        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) })
                case AF_INET6:
                    addresses.append(
                        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) })
                default: break
                }
            }
            next = info.ai_next
        }
        return addresses
    }
}

extension SocketAddress {
    /// Whether the address is public, and not an IPv4-mapped IPv6 address.
    var isPublic: Bool {
        guard let address = IPAddress(self) else { return false }
        return address.isPublic && (self.protocol == .inet) == (address.bytes.count == 4)
    }
}
