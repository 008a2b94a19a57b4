internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Synchronization

/// Makes a body piece by piece: what it gives away has been taken before it goes on.
typealias BodyMaker = @Sendable (_ send: (sending [UInt8]) async throws -> Void) async throws -> Void

/// A body that is made while it is sent.
///
/// Who reads slowly is waited for, but not for ever: within ``patience`` a piece has to be taken. When the body cannot be made
/// to its end the connection is cut, so that nobody takes a part for the whole.
struct BodyStream: Sendable {
    private static let patience = TimeAmount.seconds(60)
    /// About how many bytes are sent at once.
    static let piece = 64 << 10

    let make: BodyMaker
    let place: StreamPlaces.Place
    let channel: any Channel
    let logger: Logger

    func body(isCompressed: Bool) -> ResponseBody {
        ResponseBody { [self] writer in
            defer { withExtendedLifetime(place) {} }
            let gzip = isCompressed ? Deflater() : nil
            do {
                try await make { bytes in
                    let bytes = gzip.map { $0.compress(bytes) } ?? bytes
                    try await write(bytes, to: &writer)
                }
                if let gzip { try await write(gzip.finish(), to: &writer) }
            } catch {
                if !(error is HungUp) { logger.error("an answer was broken off", metadata: ["error": "\(error)"]) }
                throw error
            }
            try await writer.finish(nil)
        }
    }

    /// The client is gone, or takes nothing any more.
    private struct HungUp: Error { let cause: any Error }

    private func write(_ bytes: [UInt8], to writer: inout any ResponseBodyWriter) async throws {
        for start in stride(from: 0, to: bytes.count, by: Self.piece) {
            let piece = ByteBuffer(bytes: bytes[start..<min(start + Self.piece, bytes.count)])
            let cut = channel.eventLoop.scheduleTask(in: Self.patience) { [channel] in channel.close(promise: nil) }
            defer { cut.cancel() }
            do { try await writer.write(piece) } catch { throw HungUp(cause: error) }
        }
    }
}

/// How many answers may be streamed at the same time.
final class StreamPlaces: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    /// Taken until it is released by the last who knows it.
    final class Place: Sendable {
        private let places: StreamPlaces

        fileprivate init(_ places: StreamPlaces) { self.places = places }

        deinit { places.free.withLock { $0 += 1 } }
    }

    /// - Throws: ``Problem`` when none is free.
    func take() throws(Problem) -> Place {
        let isFree = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        guard isFree else {
            var problem = Problem(
                .serviceUnavailable, .overloaded,
                detail: "As many answers are being streamed as can be: ask again later.")
            problem.headers[.retryAfter] = "10"
            throw problem
        }
        return Place(self)
    }
}
