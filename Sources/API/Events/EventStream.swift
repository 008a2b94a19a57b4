internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// Server-Sent Events (WHATWG): a stream that goes on until the client leaves, for an hour at most.
enum EventStream {
    static let mediaType = "text/event-stream"
    /// After that a client comes again, and shows its token again.
    static let longest = Duration.seconds(3600)
    /// After so many milliseconds a client comes again whose connection broke.
    private static let retry = 3000

    /// Whether a request asks for one.
    static func isWanted(by fields: HTTPFields) -> Bool { fields[.accept]?.contains(mediaType) ?? false }

    /// A stream for a reader: `tell` gives what there is to tell now, nil at the end; `wait` waits until there may be more, but no
    /// longer than it is told.
    ///
    /// A comment is sent when nothing was for as long as a heartbeat, and only when `wait` found that time was up: not when an event
    /// came after that, of which the client may not be told.
    static func answer<Reader: Sendable>(
        _ start: Reader, for longest: Duration = longest, every heartbeat: Duration,
        tell: @escaping @Sendable (inout Reader) async throws -> [UInt8]?,
        wait: @escaping @Sendable (inout Reader, Duration) async -> Wakeup
    ) -> Answer {
        // What the reader lets go must not be held here for as long as the stream lasts.
        let start = Start(start)
        let heartbeat = TimeAmount(heartbeat)
        var answer = Answer.streamed(mediaType) { send in
            guard var reader = start.reader.withLock({ $0.take() }) else { return }
            // Of NIO's times the size is known when this is compiled; those of Swift enlarge the stack.
            let end = NIODeadline.now() + TimeAmount(longest)
            try await send(Array("retry: \(retry)\n\n".utf8))
            // From what was sent last: that a reader looked and had nothing to tell is not to be seen.
            var pause = min(.now() + heartbeat, end)
            while .now() < end {
                guard let told = try await tell(&reader) else { return }
                if !told.isEmpty {
                    try await send(told)
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
        return answer.negotiated
    }

    /// A reader until its stream begins.
    private final class Start<Reader: Sendable>: Sendable {
        let reader: Mutex<Reader?>

        init(_ reader: Reader) { self.reader = Mutex(reader) }
    }

    /// A message of a type with a line of data; one without an id does not change after which one a client comes again.
    static func message(id: Int64? = nil, type: String? = nil, _ data: [UInt8]) -> [UInt8] {
        let head = (id.map { "id: \($0)\n" } ?? "") + (type.map { "event: \($0)\n" } ?? "") + "data: "
        return Array(head.utf8) + data + Array("\n\n".utf8)
    }
}
