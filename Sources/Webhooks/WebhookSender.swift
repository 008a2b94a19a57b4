internal import AsyncHTTPClient
internal import Discovery
internal import Foundation
internal import Model
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import Synchronization

/// Sends webhook messages, only to addresses that were resolved and checked.
///
/// A name is resolved at most once a minute, and its addresses are checked for each message. One address is pinned in
/// the client in place of the name, which TLS and `Host` still use, so that no second lookup can return another one
/// (DNS rebinding). Proxies, redirects and cookies are disabled.
final class WebhookSender: Sendable {
    /// An HTTP client that resolves one name to one address.
    private final class PinnedClient: Sendable {
        let address: String
        let client: HTTPClient

        init(_ host: String, at address: String) {
            self.address = address
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            configuration.dnsOverride = [host: address]
            configuration.httpVersion = .http1Only
            configuration.timeout.connect = .seconds(10)
            configuration.connectionPool.idleTimeout = .seconds(30)
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.http1_1ConnectionDebugInitializer = { AnswerLimit.add(to: $0) }
            client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }

        /// The requests in progress keep the client.
        deinit { client.shutdown { _ in } }
    }

    /// A receiver's answer.
    struct Reply: Sendable {
        /// The status; nil for no answer.
        var status: Int?
        /// The reason for a missing answer.
        var fault: String?
        /// When the receiver wants the next attempt.
        var retryAfter: Duration?
    }

    private struct Fault: Error { let reason: String }

    private static let longestBody = 4096
    /// How long the body is read after the status arrived.
    private static let patienceWithBody = Duration.seconds(2)

    private let rules: WebhookRules
    private let lookup: AddressLookup
    private let state = Mutex(State())

    /// The state of receivers, by webhook URL.
    private struct State {
        var clients: [String: PinnedClient] = [:]
        /// The number of failures, by which the next of several addresses is chosen.
        var failures: [String: Int] = [:]
    }

    init(_ rules: WebhookRules) {
        self.rules = rules
        // The rest of the time is for the receiver.
        let timeout = rules.timeout * 2 / 3
        guard let names = rules.names else {
            lookup = AddressLookup(timeout: timeout)
            return
        }
        lookup = AddressLookup(timeout: timeout) { name in
            names(name).compactMap { try? SocketAddress(ipAddress: $0, port: 0) }
        }
    }

    /// Closes the connections to all other receivers.
    func keep(only urls: Set<String>) {
        state.withLock { state in
            state.clients = state.clients.filter { urls.contains($0.key) }
            state.failures = state.failures.filter { urls.contains($0.key) }
        }
    }

    /// Posts a message.
    ///
    /// - Throws: `CancellationError`.
    func post(_ body: [UInt8], _ headers: [(String, String)], to url: String) async throws -> Reply {
        do {
            guard let address = WebhookAddress(url) else { throw Fault(reason: "the address is invalid") }
            let reply = try await within(rules.timeout) { [self] in
                let pinned = try await client(for: address, url)
                return try await Self.exchange(body, headers, url, pinned, rules.timeout)
            }
            guard let reply else { throw Fault(reason: "no answer within \(rules.timeout.seconds) s") }
            return reply
        } catch {
            if Task.isCancelled { throw CancellationError() }
            state.withLock { state in
                state.clients[url] = nil
                state.failures[url, default: 0] += 1
            }
            return Reply(fault: Self.reason(error))
        }
    }

    /// The reason for an error, without any text from the receiver.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let fault as Fault: fault.reason
        case let failure as AddressLookup.Failure: failure.reason
        case is AnswerLimit.Exceeded: "more than \(AnswerLimit.most) bytes were received instead of an answer"
        case let error as HTTPClientError: error.shortDescription
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: "no TLS with a trusted certificate"
        case is HTTPParserError: "the answer is not HTTP"
        default: "no connection"
        }
    }

    /// A client for an address that was checked just now; an existing one with its connections if it still applies.
    private func client(for address: WebhookAddress, _ url: String) async throws -> PinnedClient {
        let found = try await lookup.addresses(of: address.host)
        if !rules.allows(address) {
            guard address.isSecure else { throw Fault(reason: "the address is not https") }
            guard found.allSatisfy(\.isPublic) else {
                throw Fault(reason: "the name resolves to an address that is not on the internet")
            }
        }
        let numbers = found.compactMap(\.ipAddress)
        guard !numbers.isEmpty else { throw Fault(reason: "the name has no address") }
        return state.withLock { state in
            if let known = state.clients[url], numbers.contains(known.address) { return known }
            let new = PinnedClient(address.host, at: numbers[state.failures[url, default: 0] % numbers.count])
            state.clients[url] = new
            return new
        }
    }

    private static func exchange(
        _ body: [UInt8], _ headers: [(String, String)], _ url: String, _ pinned: PinnedClient, _ timeout: Duration
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "user-agent", value: "Cerca")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        let timeout = TimeAmount.milliseconds(timeout.milliseconds * 2)
        let response = try await pinned.client.execute(request, timeout: timeout)
        // The body is ignored, but a connection can be reused only after its end.
        _ = try? await within(patienceWithBody) {
            var left = longestBody
            for try await piece in response.body {
                left -= piece.readableBytes
                if left < 0 { break }
            }
        }
        let wait = response.headers.first(name: "retry-after").flatMap {
            self.wait($0, sent: response.headers.first(name: "date"))
        }
        return Reply(status: Int(response.status.code), retryAfter: wait)
    }

    /// The delay in `Retry-After`: seconds, or a date (RFC 9110, 10.2.3) by the receiver's clock, which `Date` shows.
    ///
    /// - Returns: nil for an invalid value, and for a date without `Date`.
    static func wait(_ text: String, sent: String?) -> Duration? {
        if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, 1_000_000)) : nil }
        let format = DateFormatter()
        (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), .gmt)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text), let now = sent.flatMap({ format.date(from: $0) }) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), 1_000_000))
    }
}
