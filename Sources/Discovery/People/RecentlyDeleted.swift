package import Model

/// Who was deleted a moment ago, and looks from nowhere if made anew meanwhile.
///
/// Else a viewpoint would move as often as its person is deleted and made again. Nothing of it is stored: of who is deleted
/// nothing is left in the files, and nobody who looks about can make the service start again within those minutes. Machines that
/// follow a log do store it for those minutes (``Standing``), for one of them may start again.
package struct RecentlyDeleted: Codable, Sendable {
    /// Of so many it is known when they went.
    private static let most = 10_000

    private var times: [PersonID: Timestamp] = [:]
    /// When the last of those went who are forgotten because there were too many: anybody new may be one of them.
    private var crowded: Timestamp?

    package init() {}

    /// Takes note of a person whose deletion begins.
    ///
    /// - Complexity: O(people deleted in the last two minutes).
    package mutating func insert(_ id: PersonID, at time: Timestamp) {
        times = times.filter { time < $0.value + Viewpoint.interval }
        times[id] = time
        guard times.count > Self.most else { return }
        crowded = times.values.max()
        times = [:]
    }

    /// Those who went so short a time ago, at an instant, that it still matters; nil for nobody.
    func standing(at now: Timestamp) -> RecentlyDeleted? {
        var standing = self
        standing.times = times.filter { now < $0.value + Viewpoint.interval }
        if let left = crowded, now >= left + Viewpoint.interval { standing.crowded = nil }
        return standing.times.isEmpty && standing.crowded == nil ? nil : standing
    }

    /// The viewpoint of who is made at an instant, if anybody of that id went too short a time ago.
    package func viewpoint(of id: PersonID, at now: Timestamp) -> Viewpoint? {
        guard let left = [times[id], crowded].compactMap(\.self).max(), now < left + Viewpoint.interval else {
            return nil
        }
        return Viewpoint(place: nil, moved: left)
    }
}
