internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore

extension CercaClient {
    /// Follows events as they happen.
    ///
    /// - Parameters:
    ///   - filter: which ones.
    ///   - id: the last event that is known; nil to begin now.
    /// - Returns: a sequence that opens a stream when it is looped over.
    /// - Throws: an `EncodingError` for an area that cannot be written; the events throw ``CercaError``.
    public func events(_ filter: EventFilter = EventFilter(), after id: Int? = nil) throws -> Events {
        var request = Request(.GET, "/v1/events", try filter.query())
        request.headers["accept"] = "text/event-stream"
        return Events(client: self, request: request, last: id.map(String.init))
    }

    /// Events as they happen, until the task is cancelled or the service refuses.
    ///
    /// A stream that ends or breaks is opened again, and goes on after the last event (`Last-Event-ID`). The service says
    /// after how long, or it is after about three seconds. If the stream cannot be opened within the client's ``Retries``,
    /// that is thrown. Without an id to begin after, nothing is told of what happens while a stream is opened again that
    /// broke before its first event.
    public struct Events: AsyncSequence, Sendable {
        fileprivate let client: CercaClient
        package let request: CercaClient.Request
        fileprivate let last: String?

        /// What a follower is told.
        public enum Told: Hashable, Sendable {
            /// Something happened.
            case event(Event)
            /// Events are missing here: read anew what you follow.
            case reset
        }

        /// The events from the beginning of this sequence on; each loop has a stream of its own.
        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// The events that were not told yet.
        public struct Iterator: AsyncIteratorProtocol {
            private let client: CercaClient
            private let request: CercaClient.Request
            private var stream: HTTPClientResponse.Body.AsyncIterator?
            private var reader: ServerSentEvents
            private var ready: ArraySlice<ServerSentEvents.Message> = []
            private var wasOpen = false

            fileprivate init(_ events: Events) {
                client = events.client
                request = events.request
                reader = ServerSentEvents(lastID: events.last)
            }

            /// Waits for what there is to tell; never nil.
            ///
            /// - Throws: ``CercaError``, or `CancellationError` in a task that is cancelled.
            public mutating func next() async throws -> Told? {
                while true {
                    if let message = ready.popFirst() { return try told(message) }
                    if let piece = try await piece() {
                        ready = reader.read(piece.readableBytesView)[...]
                    } else {
                        stream = nil
                    }
                }
            }

            /// The next piece of the stream; nil if it ended or broke.
            private mutating func piece() async throws -> ByteBuffer? {
                if stream == nil { stream = try await open() }
                do { return try await stream?.next() } catch {
                    // Why it broke does not matter: it is opened again, and if that fails, that is told.
                    try Task.checkCancellation()
                    return nil
                }
            }

            private mutating func open() async throws -> HTTPClientResponse.Body.AsyncIterator {
                if wasOpen {
                    let pause = Double(Swift.min(Swift.max(reader.retry ?? 3000, 0), 60_000))
                    try await Task.sleep(for: .milliseconds(pause * Double.random(in: 0.5...1)))
                }
                reader.begin()
                var request = request
                request.headers["last-event-id"] = reader.lastID
                let opened = try await client.perform(request) { $0.body.makeAsyncIterator() }
                wasOpen = true
                return opened
            }

            private func told(_ message: ServerSentEvents.Message) throws -> Told {
                if message.type == "reset" { return .reset }
                return .event(try JSON.read(Event.self, from: Data(message.data.utf8), of: request))
            }
        }
    }
}
