internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// Server-Sent Events (WHATWG): a stream until the client leaves, for an hour at most.
enum EventStream {
    static let mediaType = "text/event-stream"
    /// After that a client reconnects, and authenticates again.
    static let longest = Duration.seconds(3600)
    /// The milliseconds after which a client reconnects if its connection broke.
    private static let retry = 3000

    /// Keeps nginx and other proxies from holding messages back.
    private static let unbuffered = HTTPField.Name("X-Accel-Buffering")

    /// Whether a request accepts a stream of events.
    static func isWanted(by fields: HTTPFields) -> Bool { fields[.accept]?.contains(mediaType) ?? false }

    /// A stream for a reader: `report` returns the next messages, nil at the end; `wait` returns when there may be more,
    /// or after a time.
    ///
    /// A comment is sent after a heartbeat's silence, but only if `wait` timed out. If it was woken by an event that is
    /// hidden from the client, a comment would reveal that.
    static func answer<Reader: Sendable>(
        _ start: Reader, for longest: Duration = longest, every heartbeat: Duration,
        report: @escaping @Sendable (inout Reader) async throws -> [UInt8]?,
        wait: @escaping @Sendable (inout Reader, Duration) async -> Wakeup
    ) -> Answer {
        // The stream must not keep values that the reader releases.
        let start = Start(start)
        let heartbeat = TimeAmount(heartbeat)
        var answer = Answer.streamed(mediaType) { send in
            guard var reader = start.reader.withLock({ $0.take() }) else { return }
            // The size of NIO's times is known at compile time; Swift's would enlarge the stack.
            let end = NIODeadline.now() + TimeAmount(longest)
            try await send(Array("retry: \(retry)\n\n".utf8))
            // Counted from the last message, so that checks without a result stay invisible.
            var pause = min(.now() + heartbeat, end)
            while .now() < end {
                guard let reported = try await report(&reader) else { return }
                if !reported.isEmpty {
                    try await send(reported)
                    pause = min(.now() + heartbeat, end)
                }
                let wakeup = await wait(&reader, .nanoseconds((pause - .now()).nanoseconds))
                if wakeup == .over { return }
                if wakeup == .late, .now() >= pause {
                    try await send(Array(":\n\n".utf8))
                    pause = min(.now() + heartbeat, end)
                }
            }
        }
        answer.isFollowed = true
        if let unbuffered { answer.headers[unbuffered] = "no" }
        return answer.negotiated
    }

    /// Holds a reader until its stream begins.
    private final class Start<Reader: Sendable>: Sendable {
        let reader: Mutex<Reader?>

        init(_ reader: Reader) { self.reader = Mutex(reader) }
    }

    /// A message with a type and a line of data; one without an id leaves the client's resume position unchanged.
    static func message(id: Int64? = nil, type: String? = nil, _ data: [UInt8]) -> [UInt8] {
        let head = (id.map { "id: \($0)\n" } ?? "") + (type.map { "event: \($0)\n" } ?? "") + "data: "
        return Array(head.utf8) + data + Array("\n\n".utf8)
    }
}
