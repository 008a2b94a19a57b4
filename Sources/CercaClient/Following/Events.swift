internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore

extension CercaClient {
    /// Follows events as they happen.
    ///
    /// - Parameters:
    ///   - filter: the events to follow.
    ///   - id: the last known event; nil to start now.
    /// - Returns: a sequence that opens a stream when it is looped over.
    /// - Throws: an `EncodingError` for an area that cannot be written; the events throw ``CercaError``.
    public func events(_ filter: EventFilter = EventFilter(), after id: Int? = nil) throws -> Events {
        var request = Request(.GET, "/v1/events", try filter.query())
        request.headers["accept"] = "text/event-stream"
        return Events(client: self, request: request, last: id.map(String.init))
    }

    /// Events as they happen, until the task is canceled or the service refuses.
    ///
    /// A stream that ends or breaks is reopened after its last event (`Last-Event-ID`), after the pause that the
    /// service requests, or after about three seconds. If the stream cannot be opened within the client's ``Retries``,
    /// the error is thrown. Without an id to start after, events are lost while a stream that broke before its first
    /// event is reopened.
    public struct Events: AsyncSequence, Sendable {
        fileprivate let client: CercaClient
        package let request: CercaClient.Request
        fileprivate let last: String?

        /// An element of the sequence.
        public enum Update: Hashable, Sendable {
            /// An event happened.
            case event(Event)
            /// Events are missing here; reload the state that you follow.
            case reset
        }

        /// An iterator with a stream of its own, from the beginning of this sequence.
        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// The events not delivered yet.
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

            /// Waits for the next event; never nil.
            ///
            /// - Throws: ``CercaError``, or `CancellationError` in a canceled task.
            public mutating func next() async throws -> Update? {
                while true {
                    if let message = ready.popFirst() { return try reported(message) }
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
                    // The cause is irrelevant: the stream is reopened, and an error of that is thrown.
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

            private func reported(_ message: ServerSentEvents.Message) throws -> Update {
                if message.type == "reset" { return .reset }
                return .event(try JSON.read(Event.self, from: Data(message.data.utf8), of: request))
            }
        }
    }
}
