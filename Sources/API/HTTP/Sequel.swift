internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// What is sent of an answer for as long as its client follows it.
///
/// A task keeps the deepest stack that it ever had, and a connection's task lives as long as the connection. So a request to follow
/// something is answered in a task of its own, and what comes then is sent by the connection's.
final class Sequel: @unchecked Sendable {  // the one task has ended when the other goes on
    /// That of the answer that is made.
    @TaskLocal static var current: Sequel?

    private var writer: ResponseWriter?
    /// What is to be sent when the answer has begun.
    var body: BodyStream?

    private init(_ writer: consuming ResponseWriter) { self.writer = consume writer }

    /// Answers as `responder` does.
    static func after(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            guard EventStream.isWanted(by: request.headers) else {
                return try await responder(request, writer, channel)
            }
            try await begin(request, writer, channel, responder)?.send()
        }
    }

    /// Answers in a task of its own, and returns what is to be sent then.
    // What is inlined enlarges the stack of each stream.
    @inline(never) private static func begin(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        _ responder: @escaping HTTPChannelHandler.Responder
    ) async throws -> BodyStream? {
        let sequel = Sequel(writer)
        try await apart {
            try await $current.withValue(sequel) {
                guard let writer = sequel.writer.take() else { return }
                try await responder(request, writer, channel)
            }
        }
        // What began meanwhile and goes on, such as who watches a queue, knows the sequel, and would keep the body.
        return sequel.body.take()
    }
}
