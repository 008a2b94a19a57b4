package import Model

/// Who was deleted a moment ago, and looks from nowhere if made anew meanwhile.
///
/// Else a viewpoint would move as often as its person is deleted and made again. Nothing of it is stored: of who is deleted
/// nothing is left in the files, and nobody who looks about can make the service start again within those minutes.
package struct RecentlyDeleted: Sendable {
    /// Of so many it is known when they went.
    private static let most = 10_000

    private var times: [PersonID: Timestamp] = [:]
    /// When the last of those went who are forgotten because there were too many: anybody new may be one of them.
    private var crowded: Timestamp?

    package init() {}

    /// Takes note of a person who is deleted.
    ///
    /// - Complexity: O(people deleted in the last two minutes).
    package mutating func insert(_ id: PersonID, at time: Timestamp) {
        times = times.filter { time < $0.value + Viewpoint.interval }
        times[id] = time
        guard times.count > Self.most else { return }
        crowded = times.values.max()
        times = [:]
    }

    /// The viewpoint of who is made at an instant, if anybody of that id went too short a time ago.
    package func viewpoint(of id: PersonID, at now: Timestamp) -> Viewpoint? {
        guard let left = [times[id], crowded].compactMap(\.self).max(), now < left + Viewpoint.interval else {
            return nil
        }
        return Viewpoint(place: nil, moved: left)
    }
}
