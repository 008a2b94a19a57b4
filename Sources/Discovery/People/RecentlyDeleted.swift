package import Model

/// Recently deleted people, whose search origin is withheld for a while after re-registration.
///
/// Otherwise deletion and re-registration would move a search origin at will. It is not stored, because nothing about
/// deleted people remains in the files, and an attacker cannot restart the service within those minutes. Machines that
/// follow a log do store it for those minutes (``IDCounters``), because one of them may restart.
package struct RecentlyDeleted: Codable, Sendable {
    /// The maximum number of remembered deletions.
    private static let most = 10_000

    private var times: [PersonID: Timestamp] = [:]
    /// The latest deletion among those dropped for lack of space; any new person may be one of them.
    private var overloaded: Timestamp?

    package init() {}

    /// Records that a person's deletion begins.
    ///
    /// - Complexity: O(people deleted in the last two minutes).
    package mutating func insert(_ id: PersonID, at time: Timestamp) {
        times = times.filter { time < $0.value + SearchOrigin.interval }
        times[id] = time
        guard times.count > Self.most else { return }
        overloaded = times.values.max()
        times = [:]
    }

    /// The deletions that are still relevant at an instant; nil for none.
    func standing(at now: Timestamp) -> RecentlyDeleted? {
        var standing = self
        standing.times = times.filter { now < $0.value + SearchOrigin.interval }
        if let left = overloaded, now >= left + SearchOrigin.interval { standing.overloaded = nil }
        return standing.times.isEmpty && standing.overloaded == nil ? nil : standing
    }

    /// The search origin of a person created at an instant, if a person with that id was deleted too recently.
    package func searchOrigin(of id: PersonID, at now: Timestamp) -> SearchOrigin? {
        guard let left = [times[id], overloaded].compactMap(\.self).max(), now < left + SearchOrigin.interval else {
            return nil
        }
        return SearchOrigin(place: nil, moved: left)
    }
}
