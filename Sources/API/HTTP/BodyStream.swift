internal import Algorithms
internal import CoreMetrics
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import Interchange
internal import Logging
internal import Model
internal import NIOCore
internal import Synchronization

/// Makes a body piece by piece: what it gives away has been taken before it goes on.
typealias BodyMaker = @Sendable (_ send: (sending [UInt8]) async throws -> Void) async throws -> Void

/// A body that is made while it is sent.
///
/// Who reads slowly is waited for, as long as ``Pace/patience`` allows. When the body cannot be made to its end the connection is
/// cut, so that nobody takes a part for the whole.
final class BodyStream: @unchecked Sendable {  // it is told whom it is for before it is sent
    private let make: BodyMaker
    private let place: StreamPlaces.Place
    private let logger: Logger
    private var writer: (any ResponseBodyWriter)?

    /// A body for which a place was taken until it is made.
    init(_ place: StreamPlaces.Place, _ logger: Logger, make: @escaping BodyMaker) {
        (self.make, self.place, self.logger) = (make, place, logger)
    }

    var body: ResponseBody {
        ResponseBody { writer in
            self.writer = writer
            guard let sequel = Sequel.current else { return try await self.send() }
            sequel.body = self
        }
    }

    /// Writes it to its end.
    func send() async throws {
        do {
            try await make(write)
        } catch {
            note(error)
            throw error
        }
        try await writer?.finish(nil)
    }

    // What is inlined enlarges the stack of each stream.
    @inline(never) private func note(_ error: any Error) {
        if !(error is HungUp) { logger.error("an answer was broken off", metadata: ["error": "\(error)"]) }
    }

    /// The client is gone, or takes nothing any more.
    private struct HungUp: Error { let cause: any Error }

    private func write(_ bytes: [UInt8]) async throws {
        Effort.count(bytes.count / RateLimits.bytesWrittenInStep)
        for piece in bytes.chunks(ofCount: pieceOfExport) {
            do { try await writer?.write(ByteBuffer(bytes: piece)) } catch { throw HungUp(cause: error) }
        }
    }
}

/// How many answers may be streamed at the same time: to all, to each person and to those who have a link.
final class StreamPlaces: Sendable {
    /// Whose places are counted together; those of services are not counted apart.
    fileprivate enum Holder: Hashable {
        case person(Principal)
        case link(ShareNumber)

        init?(_ principal: Principal?, _ link: ShareNumber?) {
            if let link {
                self = .link(link)
            } else if let principal, principal != .service {
                self = .person(principal)
            } else {
                return nil
            }
        }
    }

    private let most: Int
    private let mostOfPerson, mostOfLink: Int
    private let open: Meter
    private let taken = Mutex(Taken())

    private struct Taken {
        var count = 0
        /// By those who have any.
        var ofHolder: [Holder: Int] = [:]
    }

    /// A number of places, of which `open` is told how many are taken.
    init(_ most: Int, ofPerson mostOfPerson: Int, ofLink mostOfLink: Int = 0, open: Meter) {
        self.most = most
        (self.mostOfPerson, self.mostOfLink) = (mostOfPerson, mostOfLink)
        self.open = open
    }

    /// Taken until it is released by the last who knows it.
    final class Place: Sendable {
        private let places: StreamPlaces
        private let holder: Holder?

        fileprivate init(_ places: StreamPlaces, _ holder: Holder?) {
            self.places = places
            self.holder = holder
        }

        deinit { places.release(holder) }
    }

    /// - Throws: ``Problem`` when none is free, or the person has as many as a person may, or those with a link as many as they may.
    func take(for principal: Principal?, of link: ShareNumber? = nil) throws(Problem) -> Place {
        let holder = Holder(principal, link)
        let refusal = taken.withLock { taken -> Problem? in
            let own = holder.flatMap { taken.ofHolder[$0] } ?? 0
            guard holder == nil || own < (link == nil ? mostOfPerson : mostOfLink) else {
                return link == nil ? tooMany : tooManyOfLink
            }
            guard taken.count < most else { return Self.overloaded }
            taken.count += 1
            if let holder { taken.ofHolder[holder] = own + 1 }
            return nil
        }
        if let refusal { throw refusal }
        open.increment()
        return Place(self, holder)
    }

    private func release(_ holder: Holder?) {
        open.decrement()
        taken.withLock { taken in
            taken.count -= 1
            guard let holder, let own = taken.ofHolder[holder] else { return }
            taken.ofHolder[holder] = own > 1 ? own - 1 : nil
        }
    }

    private var tooMany: Problem {
        Problem(
            .tooManyRequests,
            detail:
                "\(mostOfPerson) long answers are being sent to you already: read them to their ends, or leave them.",
            headers: [.retryAfter: "10"])
    }

    private var tooManyOfLink: Problem {
        Problem(
            .tooManyRequests, detail: "\(mostOfLink) follow this link already: ask again later.",
            headers: [.retryAfter: "10"])
    }

    private static var overloaded: Problem {
        Problem(
            .overloaded, detail: "As many answers are being streamed as can be: ask again later.",
            headers: [.retryAfter: "10"])
    }
}
