internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The streamed remainder of a response that a client follows.
///
/// A task keeps the memory of its deepest stack until it ends, and a connection's task lives as long as the connection.
/// So a request to follow something is answered in a task of its own, and the connection's task sends the stream.
final class StreamedBody: @unchecked Sendable {  // the first task has ended when the second continues
    /// The remainder of the answer that is being made.
    @TaskLocal static var current: StreamedBody?

    private var writer: ResponseWriter?
    /// The stream to send after the head of the answer.
    var body: BodyStream?

    private init(_ writer: consuming ResponseWriter) { self.writer = consume writer }

    /// Wraps a responder so that a followed stream is sent after the responder's task has ended.
    static func after(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            guard EventStream.isWanted(by: request.headers) else {
                return try await responder(request, writer, channel)
            }
            try await begin(request, writer, channel, responder)?.send()
        }
    }

    /// Answers in a task of its own, and returns the stream to send.
    // Inlining would enlarge the stack of each stream.
    @inline(never) private static func begin(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        _ responder: @escaping HTTPChannelHandler.Responder
    ) async throws -> BodyStream? {
        let streamed = StreamedBody(writer)
        try await apart {
            try await $current.withValue(streamed) {
                guard let writer = streamed.writer.take() else { return }
                try await responder(request, writer, channel)
            }
        }
        // Tasks that began here and go on, such as a queue's watcher, reference the streamed body, and would keep it.
        return streamed.body.take()
    }
}
