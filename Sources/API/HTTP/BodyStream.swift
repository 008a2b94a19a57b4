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

/// Produces a body piece by piece; `send` returns when the piece has been accepted.
typealias BodyMaker = @Sendable (_ send: (sending [UInt8]) async throws -> Void) async throws -> Void

/// A body that is produced while it is sent.
///
/// A reader may pause for ``ConnectionTimeouts/stallTimeout``. When the body cannot be completed, the connection is closed,
/// so that no client takes a part for the whole.
final class BodyStream: @unchecked Sendable {  // its writer is set before it is sent
    private let make: BodyMaker
    private let place: StreamSlots.Place
    private let logger: Logger
    private var writer: (any ResponseBodyWriter)?

    /// Creates a body that holds a place until it is released.
    init(_ place: StreamSlots.Place, _ logger: Logger, make: @escaping BodyMaker) {
        (self.make, self.place, self.logger) = (make, place, logger)
    }

    var body: ResponseBody {
        ResponseBody { writer in
            self.writer = writer
            guard let streamed = StreamedBody.current else { return try await self.send() }
            streamed.body = self
        }
    }

    /// Sends the whole body.
    func send() async throws {
        do {
            try await make(write)
        } catch {
            note(error)
            throw error
        }
        try await writer?.finish(nil)
    }

    // Inlining would enlarge the stack of each stream.
    @inline(never) private func note(_ error: any Error) {
        if !(error is HungUp) { logger.error("an answer was broken off", metadata: ["error": "\(error)"]) }
    }

    /// The client is gone, or no longer reads.
    private struct HungUp: Error { let cause: any Error }

    private func write(_ bytes: [UInt8]) async throws {
        WorkBudget.count(bytes.count / RateLimits.bytesWrittenInStep)
        for piece in bytes.chunks(ofCount: pieceOfExport) {
            do { try await writer?.write(ByteBuffer(bytes: piece)) } catch { throw HungUp(cause: error) }
        }
    }
}

/// A client that follows a shared link.
struct LinkFollower: Hashable {
    let link: ShareNumber
    /// The person who created the link.
    let owner: PersonNumber
    /// The network of the client's address.
    var network: [UInt8] = []
}

/// Limits the answers that are streamed at the same time: in total, and per person, link, link owner and address.
final class StreamSlots: Sendable {
    /// The most places that each group of clients may take.
    struct Shares {
        /// All clients together.
        var all: Int
        var person: Int
        /// The followers of one link.
        var link = 0
        /// The followers of one person's links.
        var owner = 0
        /// The followers of links from one address.
        var address = 0

        /// All followers of links together, who are unauthenticated: half of the places remain for others.
        var links: Int { max(1, all / 2) }
        /// All people together: a quarter of the places remains for services.
        var people: Int { max(1, all - all / 4) }
    }

    /// A group of clients that has a share.
    fileprivate enum Holder: Hashable {
        case person(Principal)
        case link(ShareNumber)
        case owner(PersonNumber)
        case address([UInt8])
        case links
        case people
    }

    private let shares: Shares
    private let open: Meter
    private let taken = Mutex(Taken())

    private struct Taken {
        var count = 0
        /// The holders that have at least one place.
        var ofHolder: [Holder: Int] = [:]
    }

    /// Creates the places; `open` counts those that are taken.
    init(_ shares: Shares, open: Meter) { (self.shares, self.open) = (shares, open) }

    /// A place, released when its last reference goes.
    final class Place: Sendable {
        private let places: StreamSlots
        private let holders: [Holder]

        fileprivate init(_ places: StreamSlots, _ holders: [Holder]) {
            (self.places, self.holders) = (places, holders)
        }

        deinit { places.release(holders) }
    }

    /// Takes a place for a person or service, or for a follower of a link.
    ///
    /// - Throws: ``Problem`` when no place is free, or a share that the client belongs to is used up.
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

    /// The shares that a client belongs to; none for a service.
    private func holders(
        _ principal: Principal?, _ follower: LinkFollower?
    ) -> [(holder: Holder, most: Int, problem: Problem)] {
        if let follower {
            return [
                (.link(follower.link), shares.link, Self.tooMany("\(shares.link) clients follow this link already")),
                (
                    .owner(follower.owner), shares.owner,
                    Self.tooMany("too many clients follow this person's links already")
                ),
                (
                    .address(follower.network), shares.address,
                    Self.tooMany("\(shares.address) clients at your address follow links already")
                ),
                (.links, shares.links, Self.overloaded),
            ]
        }
        guard let principal, principal != .service else { return [] }
        let detail =
            "\(shares.person) long answers are being sent to you already: read them to the end, or close them."
        return [(.person(principal), shares.person, Self.refusal(detail)), (.people, shares.people, Self.overloaded)]
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

    private static func tooMany(_ reason: String) -> Problem { refusal("\(reason): try again later.") }

    private static var overloaded: Problem {
        Problem(
            .overloaded, detail: "The maximum number of answers is being streamed: try again later.",
            headers: [.retryAfter: "10"])
    }
}
