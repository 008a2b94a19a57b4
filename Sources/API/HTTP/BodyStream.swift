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

/// A client that follows a link.
struct LinkFollower: Hashable {
    let link: ShareNumber
    /// The person whose link it is.
    let owner: PersonNumber
    /// The network of the client's address.
    var network: [UInt8] = []
}

/// How many answers may be streamed at the same time: to all, and to each person, link, link owner and address.
final class StreamPlaces: Sendable {
    /// The most places that clients may take.
    struct Shares {
        /// All clients together.
        var all: Int
        var person: Int
        /// The followers of one link.
        var link = 0
        /// The followers of one person's links.
        var owner = 0
        /// The followers of links who come from one address.
        var address = 0

        /// All followers of links together, who prove nothing: half of the places are left for callers who do.
        var links: Int { max(1, all / 2) }
    }

    /// A group of clients that has a share.
    fileprivate enum Holder: Hashable {
        case person(Principal)
        case link(ShareNumber)
        case owner(PersonNumber)
        case address([UInt8])
        case links
    }

    private let shares: Shares
    private let open: Meter
    private let taken = Mutex(Taken())

    private struct Taken {
        var count = 0
        /// Those that have any.
        var ofHolder: [Holder: Int] = [:]
    }

    /// A number of places, of which `open` is told how many are taken.
    init(_ shares: Shares, open: Meter) { (self.shares, self.open) = (shares, open) }

    /// Taken until it is released by the last who knows it.
    final class Place: Sendable {
        private let places: StreamPlaces
        private let holders: [Holder]

        fileprivate init(_ places: StreamPlaces, _ holders: [Holder]) {
            (self.places, self.holders) = (places, holders)
        }

        deinit { places.release(holders) }
    }

    /// Takes a place for a person or service, or for a follower of a link.
    ///
    /// - Throws: ``Problem`` when none is free, or a share that the client belongs to is taken.
    func take(for principal: Principal?, following follower: LinkFollower? = nil) throws(Problem) -> Place {
        let holders = holders(principal, follower)
        let refusal = taken.withLock { taken -> Problem? in
            for (holder, most, problem) in holders where taken.ofHolder[holder, default: 0] >= most { return problem }
            guard taken.count < shares.all else { return Self.overloaded }
            taken.count += 1
            for (holder, _, _) in holders { taken.ofHolder[holder, default: 0] += 1 }
            return nil
        }
        if let refusal { throw refusal }
        open.increment()
        return Place(self, holders.map(\.holder))
    }

    /// The shares that a client belongs to: none for a service.
    private func holders(
        _ principal: Principal?, _ follower: LinkFollower?
    ) -> [(holder: Holder, most: Int, problem: Problem)] {
        if let follower {
            return [
                (.link(follower.link), shares.link, Self.tooMany("\(shares.link) follow this link already")),
                (.owner(follower.owner), shares.owner, Self.tooMany("too many follow this person's links already")),
                (
                    .address(follower.network), shares.address,
                    Self.tooMany("\(shares.address) follow links from your address already")
                ),
                (.links, shares.links, Self.overloaded),
            ]
        }
        guard let principal, principal != .service else { return [] }
        let detail =
            "\(shares.person) long answers are being sent to you already: read them to their ends, or leave them."
        return [(.person(principal), shares.person, Self.refusal(detail))]
    }

    private func release(_ holders: [Holder]) {
        open.decrement()
        taken.withLock { taken in
            taken.count -= 1
            for holder in holders {
                let own = taken.ofHolder[holder, default: 0]
                taken.ofHolder[holder] = own > 1 ? own - 1 : nil
            }
        }
    }

    private static func refusal(_ detail: String) -> Problem {
        Problem(.tooManyRequests, detail: detail, headers: [.retryAfter: "10"])
    }

    private static func tooMany(_ reason: String) -> Problem { refusal("\(reason): ask again later.") }

    private static var overloaded: Problem {
        Problem(
            .overloaded, detail: "As many answers are being streamed as can be: ask again later.",
            headers: [.retryAfter: "10"])
    }
}
