internal import Discovery
internal import Interchange
internal import Model

/// A list that is followed: its items as they are, and then each that enters it, changes or leaves it.
///
/// The question is asked again when something came that may change the answer, at most once a second and at least every fifteen;
/// each time counts as a request. What differs is sent. So whoever follows knows the items that an answer would have had.
struct LiveList: Sendable {
    private let call: Call
    private let read: QuestionRoute.Reader
    private let rateLimits: RateLimits
    private let now: @Sendable () -> Timestamp
    private let live: Live

    init(
        _ call: Call, _ read: @escaping QuestionRoute.Reader, _ rateLimits: RateLimits,
        _ now: @escaping @Sendable () -> Timestamp, of live: Live
    ) {
        (self.call, self.read, self.rateLimits, self.now, self.live) = (call, read, rateLimits, now, live)
    }

    /// What may change a list of places.
    static let places = watching([.placeCreated, .placeChanged, .placeDeleted, .favouriteCount])
    /// What may change a list of stores.
    static let stores = watching([.placeCreated, .placeChanged, .placeDeleted, .favouriteCount, .stockChanged])
    /// What may change a list of friends.
    static let friends: @Sendable (Call) throws -> EventWatch.Subject = { try .person($0.id("id")) }

    private static func watching(_ types: Set<EventType>) -> @Sendable (Call) throws -> EventWatch.Subject {
        { _ in .types(types) }
    }

    /// What a follower was told.
    private struct Followed: Sendable {
        var watch: EventWatch
        /// The items by their ids, both as they are written.
        var items: [[UInt8]: [UInt8]] = [:]
        /// What is asked first was counted as any request is.
        var isFirst = true
    }

    /// - Throws: what the question does when it is asked first.
    func answer(watching subject: EventWatch.Subject) async throws -> Answer {
        guard call.query.text("cursor") == nil else {
            throw Problem(.invalidParameter, detail: "A list is followed from its first page: without 'cursor'.")
        }
        var start = Followed(watch: EventWatch(for: subject, of: live))
        let first = try await Self.messages(from: [:], to: items(at: call.received), &start.items)
        let rest = call.claim?.proof.until.map { max(.zero, $0 - call.received) }
        return EventStream.answer(start, for: min(EventStream.longest, rest ?? EventStream.longest)) { followed in
            guard !followed.isFirst else {
                followed.isFirst = false
                return Self.reset + first
            }
            guard !live.isOver(call.claim?.proof, at: now()) else { return nil }
            // Who asks too much is told of it later.
            guard isAdmitted() else {
                followed.watch.rest()
                return []
            }
            followed.watch.look(at: live)
            let items: [[UInt8]]
            do {
                items = try await apart {
                    try await rateLimits.charging(call.claim?.bearer, at: now) { try await self.items(at: now()) }
                }
            } catch is Refusal { return nil }  // What was asked about is gone.
            return try Self.messages(from: followed.items, to: items, &followed.items)
        } wait: { followed, most in
            await followed.watch.wait(for: live, until: .now + most)
        }
    }

    private func isAdmitted() -> Bool {
        guard let bearer = call.claim?.bearer else { return true }
        do throws(Problem) { try rateLimits.admit(bearer, at: now()) } catch { return false }
        return true
    }

    private func items(at time: Timestamp) async throws -> [[UInt8]] {
        try await read(call.askingItems(at: time)).answer(from: live).items
    }

    /// Whoever follows forgets what they had.
    private static let reset = EventStream.message(type: "reset", Array("{}".utf8))

    /// What is sent of a list that was so and is so now.
    private static func messages(
        from old: [[UInt8]: [UInt8]], to items: [[UInt8]], _ known: inout [[UInt8]: [UInt8]]
    ) throws(Problem) -> [UInt8] {
        var new: [[UInt8]: [UInt8]] = [:]
        var messages: [UInt8] = []
        for item in items {
            let id = try id(of: item)
            new[id] = item
            if old[id] != item { messages += EventStream.message(type: "put", item) }
        }
        for id in old.keys.filter({ new[$0] == nil }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            messages += EventStream.message(type: "remove", Array("{\"id\":".utf8) + id + Array("}".utf8))
        }
        known = new
        return messages
    }

    /// The id with which an item begins, as it is written there.
    private static func id(of item: [UInt8]) throws(Problem) -> [UInt8] {
        let head = Array("{\"id\":\"".utf8)
        guard item.starts(with: head) else {
            throw Problem(
                .invalidParameter, detail: "A list is followed by the ids of its items: 'fields' must have id.")
        }
        var end = head.count
        while item[end] != UInt8(ascii: "\"") { end += item[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return Array(item[(head.count - 1)...end])
    }
}
