package import Geo

/// Compares responses with the expected ones.
///
/// Each function returns nil for a correct response, or else a sentence that describes the fault.
package enum Checker {
    /// A friend whose newest position is known to be acknowledged.
    package struct KnownFriend: Sendable {
        package var id: String
        package var place: Coordinate
        package var at: SimulatedTime
        package var since: SimulatedTime
        package var seenUntil: SimulatedTime
        /// Whether both people share exactly, so that the response must have this exact position.
        package var isExact: Bool

        package init(
            id: String, place: Coordinate, at: SimulatedTime, since: SimulatedTime, seenUntil: SimulatedTime,
            isExact: Bool
        ) {
            self.id = id
            self.place = place
            self.at = at
            self.since = since
            self.seenUntil = seenUntil
            self.isExact = isExact
        }
    }

    /// Checks nearest friends against a scan of all friends.
    ///
    /// A friend who does not share exactly may be anywhere. A friend who does must be at the exact position, in order,
    /// and none may be missing who is nearer than the last one returned.
    package static func friends(
        _ answer: [FriendSeen], of place: Coordinate, known: [KnownFriend], limit: Int
    ) -> String? {
        let distances = answer.map(\.distance)
        guard zip(distances, distances.dropFirst()).allSatisfy({ $0 <= $1 }) else { return "not nearest first" }
        guard answer.count <= limit else { return "\(answer.count) friends, \(limit) were requested" }
        let byID = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
        for seen in answer {
            guard let friend = byID[seen.id] else { return "\(seen.id) is not a friend with a known position" }
            guard friend.isExact || seen.isExact else { continue }
            guard seen.isExact else { return "\(seen.id) is not shown exactly" }
            if let fault = fault(of: seen, friend, from: place) { return fault }
        }
        let ordered = known.filter(\.isExact).map { friend in
            (friend, Geodesic.distance(from: place, to: friend.place))
        }.sorted { a, b in
            (a.1 * 1e6).rounded() != (b.1 * 1e6).rounded()
                ? a.1 < b.1 : a.0.id.utf8.lexicographicallyPrecedes(b.0.id.utf8)
        }
        let reported = answer.filter { byID[$0.id]?.isExact == true }.map(\.id)
        guard reported == ordered.prefix(reported.count).map(\.0.id) else {
            return "\(reported), expected \(ordered.prefix(reported.count).map(\.0.id))"
        }
        guard reported.count < ordered.count else { return nil }
        let missing = ordered[reported.count]
        guard answer.count == limit, let last = distances.last, tenths(missing.1) >= last else {
            return "\(missing.0.id) is missing, \(tenths(missing.1)) m away"
        }
        return nil
    }

    private static func fault(of seen: FriendSeen, _ friend: KnownFriend, from place: Coordinate) -> String? {
        guard seen.place == friend.place, seen.at == friend.at else {
            return "\(seen.id) is at \(seen.place) of \(seen.at), expected \(friend.place) of \(friend.at)"
        }
        let distance = Geodesic.distance(from: place, to: friend.place)
        guard seen.distance == tenths(distance) else { return "\(seen.id) is \(seen.distance) m away, not \(distance)" }
        let bearing = Int(Geodesic.bearing(from: place, to: friend.place).rounded()) % 360
        guard seen.bearing == bearing else { return "\(seen.id) is at \(seen.bearing)°, not \(bearing)°" }
        let since = friend.since < friend.at ? friend.since : nil
        guard seen.since == since else {
            return "\(seen.id) stays since \(String(describing: seen.since)), not \(String(describing: since))"
        }
        let seenUntil = friend.seenUntil > friend.at ? friend.seenUntil : nil
        guard seen.seenUntil == seenUntil else {
            return
                "\(seen.id) was seen until \(String(describing: seen.seenUntil)), not \(String(describing: seenUntil))"
        }
        return nil
    }

    private static func tenths(_ metres: Double) -> Double { (metres * 10).rounded() / 10 }

    /// Checks stores against a scan of all stores.
    package static func stores(_ answer: [StoreSeen], expected: [StoreSeen]) -> String? {
        guard answer != expected else { return nil }
        let index =
            zip(answer, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(answer.count, expected.count)
        func item(_ list: [StoreSeen]) -> String { index < list.count ? "\(list[index])" : "none" }
        return "of \(expected.count) stores number \(index + 1) is \(item(answer)), expected \(item(expected))"
    }

    /// Checks that strangers contain no duplicates and no person whom the viewer knows, has decided about, or may not
    /// see.
    package static func strangers(_ answer: [String], forbidden: (String) -> String?) -> String? {
        guard Set(answer).count == answer.count else { return "a person occurs twice: \(answer)" }
        for id in answer { if let reason = forbidden(id) { return "\(id) \(reason)" } }
        return nil
    }

    /// Checks a history against every position acknowledged as stored.
    package static func history(_ answer: [ThrottleModel.Point], expected: [ThrottleModel.Point]) -> String? {
        struct Row: Hashable { var time: SimulatedTime; var place: Coordinate; var isSuspect: Bool }
        func rows(_ points: [ThrottleModel.Point]) -> [Row] {
            points.map { Row(time: $0.fix.time, place: $0.fix.place, isSuspect: $0.isSuspect) }
        }
        let (got, wanted) = (rows(answer), rows(expected))
        guard got != wanted else { return nil }
        if let lost = wanted.first(where: { !got.contains($0) }) { return "lost or changed: \(lost)" }
        if let extra = got.first(where: { !wanted.contains($0) }) { return "never stored: \(extra)" }
        return "doubled or out of order: \(got.count) rows, expected \(wanted.count)"
    }

    /// Checks a person's entries (true) and exits by fence against the expected ones.
    package static func fences(_ got: [(fence: Int, isEntry: Bool)], expected model: FenceModel) -> String? {
        let expected = Dictionary(grouping: model.passings, by: \.fence)
        let got = Dictionary(grouping: got, by: \.fence).mapValues { $0.map(\.isEntry) }
        for fence in Set(expected.keys).union(got.keys).subtracting(model.doubtful).sorted() {
            let (got, expected) = (got[fence, default: []], expected[fence, default: []])
            guard fits(got[...], expected[...]) else { return "fence \(fence): \(got), expected \(expected)" }
        }
        return nil
    }

    /// Whether a sequence of entries and exits matches the expected one, with or without its uncertain elements.
    private static func fits(_ reported: ArraySlice<Bool>, _ expected: ArraySlice<FenceModel.Passing>) -> Bool {
        guard let next = expected.first else { return reported.isEmpty }
        return reported.first == next.isEntry && fits(reported.dropFirst(), expected.dropFirst())
            || !next.isCertain && fits(reported, expected.dropFirst())
    }
}
