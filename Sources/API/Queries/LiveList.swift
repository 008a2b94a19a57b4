internal import Discovery
internal import Interchange
internal import Model

/// A followed list: sends its current items, and then each item that enters it, changes, or leaves it.
///
/// The query is repeated after events that may change the answer, and at least every 15 s: for friends at most once a
/// second, for public lists at most every 5 s, because each change of a place concerns all their followers.
/// Only the differences are sent, so a follower always has the items of the current answer.
struct LiveList: Sendable {
    private let call: Call
    private let read: QueryRoute.Reader
    private let rateLimits: RateLimits
    private let now: @Sendable () -> Timestamp
    private let engine: Engine

    init(
        _ call: Call, _ read: @escaping QueryRoute.Reader, _ rateLimits: RateLimits,
        _ now: @escaping @Sendable () -> Timestamp, of engine: Engine
    ) {
        (self.call, self.read, self.rateLimits, self.now, self.engine) = (call, read, rateLimits, now, engine)
    }

    /// The events that may change a list of places.
    static let places = watching([.placeCreated, .placeChanged, .placeDeleted, .favouriteCount])
    /// The events that may change a list of stores.
    static let stores = watching([.placeCreated, .placeChanged, .placeDeleted, .favouriteCount, .stockChanged])
    /// The events that may change a list of friends.
    static let friends: @Sendable (Call) throws -> EventWatch.Subject = { try .person($0.id("id")) }

    private static func watching(_ types: Set<EventType>) -> @Sendable (Call) throws -> EventWatch.Subject {
        { _ in .types(types) }
    }

    /// The state of a follower.
    private struct Followed: Sendable {
        var watch: EventWatch
        /// The items by their ids.
        var items: FollowedItems
        /// The first message until it is sent, which was counted like any other request.
        var first: [UInt8]?
    }

    /// - Throws: The errors of the first execution of the query.
    func answer(watching subject: EventWatch.Subject) async throws -> Answer {
        guard call.query.text("cursor") == nil else {
            throw Problem(
                .invalidParameter, detail: "A list can be followed only from its first page, without 'cursor'.")
        }
        let isOfPerson = if case .person = subject { true } else { false }
        let watch = EventWatch(for: subject, of: engine, every: isOfPerson ? .seconds(1) : call.limits.listPause)
        let start = try FollowedItems().messages(to: await items(at: call.received))
        let rest = call.claim?.proof.until.map { max(.zero, $0 - call.received) }
        let longest = min(EventStream.longest, rest ?? EventStream.longest)
        return EventStream.answer(
            Followed(watch: watch, items: start.items, first: Self.reset + start.messages), for: longest,
            every: call.limits.heartbeat
        ) { followed in
            if let first = followed.first.take() { return first }
            guard !engine.isOver(call.claim?.proof, at: now()) else { return nil }
            return try await look(&followed, isOfPerson)
        } wait: { followed, most in
            await followed.watch.wait(for: engine, until: .now + most)
        }
    }

    /// The changes since the last check; nil if the list has ended.
    // Inlining would enlarge the stack of each stream.
    @inline(never) private func look(_ followed: inout Followed, _ isOfPerson: Bool) async throws -> [UInt8]? {
        let before = followed.watch
        followed.watch.look(at: engine)
        let change: Change?
        do {
            change = try await apart { [items = followed.items] in try await self.change(of: items, isOfPerson) }
        } catch let error where Self.isEnd(error) { return nil }
        guard let change else {
            // Over the rate limit: the changes are sent later.
            followed.watch = before
            return []
        }
        followed.items = change.items
        return change.messages
    }

    /// Whether the subject of the list or the client is gone, or the list is too long.
    private static func isEnd(_ error: any Error) -> Bool {
        error is Refusal || error is AbandonedRequest || error is BrokenBody
            || (error as? Problem)?.code == .answerTooLarge
    }

    private typealias Change = (messages: [UInt8], items: FollowedItems)

    /// The changes to the items; nil if the caller's rate limit leaves no request for them.
    ///
    /// A check of places always counts as a request, because its changes are public; one of people only if it finds
    /// any.
    private func change(of items: FollowedItems, _ isOfPerson: Bool) async throws -> Change? {
        let bearer = call.claim?.bearer
        if isOfPerson {
            return try await rateLimits.charging(bearer, ifChanged: { !$0.messages.isEmpty }, at: now) {
                try items.messages(to: await self.items(at: now()))
            }
        }
        guard isAdmitted() else { return nil }
        return try await rateLimits.charging(bearer, at: now) { try items.messages(to: await self.items(at: now())) }
    }

    private func isAdmitted() -> Bool {
        guard let bearer = call.claim?.bearer else { return true }
        do throws(Problem) { try rateLimits.admit(bearer, at: now()) } catch { return false }
        return true
    }

    /// - Throws: ``Problem`` if the list is longer than the caller may follow.
    private func items(at time: Timestamp) async throws -> [[UInt8]] {
        let items = try await read(call.askingItems(at: time)).answer(to: call, from: engine).items
        let most = call.principal == .service ? call.limits.answers : call.limits.followedOfPerson
        let size = items.reduce(0) { $0 + $1.count }
        guard size <= most else {
            throw Problem(
                .answerTooLarge,
                detail: "The list has \(size) bytes; a followed one may have at most \(most): request fewer fields.")
        }
        return items
    }

    /// Makes the follower discard its items.
    private static let reset = EventStream.message(type: "reset", Array("{}".utf8))
}
