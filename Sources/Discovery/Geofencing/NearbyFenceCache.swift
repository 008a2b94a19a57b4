internal import Geo
internal import Model
internal import Synchronization

/// A cache, per person, of the fences nearby and of an area without fences.
///
/// Results do not depend on it. Both copies of the state share it, because its entries carry the revision of the index.
final class NearbyFenceCache: Sendable {
    private struct Kept {
        var person: PersonNumber = -1
        /// A cap without fences that may watch the person, and the revision of the fences at which it was found.
        var clear = Cap.empty
        var revision = 0
        var near: NearAreas?
    }

    /// A shard of the cache with its own lock, to avoid contention.
    private final class Part: Sendable {
        private let kept = Mutex<[Kept]>([])

        func read<Result>(_ place: Int, of person: PersonNumber, _ body: (borrowing Kept) -> Result) -> Result? {
            kept.withLock { place < $0.count && $0[place].person == person ? body($0[place]) : nil }
        }

        func change(_ place: Int, of person: PersonNumber, _ body: (inout Kept) -> Void) {
            kept.withLock { kept in
                while kept.count <= place { kept.append(Kept()) }
                if kept[place].person != person { kept[place] = Kept(person: person) }
                body(&kept[place])
            }
        }

        func forgetAll() { kept.withLock { $0 = [] } }
    }

    /// Number of entries in a shard; each holds the last person that maps to it.
    private static let most = 1_024
    private let parts = (0..<64).map { _ in Part() }

    private func find(_ person: PersonNumber) -> (part: Part, place: Int) {
        let number = Int(person.rawValue)
        return (parts[number % parts.count], number / parts.count % Self.most)
    }

    /// Searches near a person starting from the cached result, and caches the new one.
    func look<Found>(near person: PersonNumber, _ body: (inout NearAreas?) -> Found) -> Found {
        let (part, place) = find(person)
        let kept = part.read(place, of: person) { $0.near } ?? nil
        var near = kept
        let found = body(&near)
        if near !== kept { part.change(place, of: person) { $0.near = near } }
        return found
    }

    /// Whether no fence in a cap may watch a person, from the cache or by `radius` at this revision.
    ///
    /// The cached cap counts only if it contains `wider`.
    func isClear(
        _ cap: Cap, upTo wider: Cap, of person: PersonNumber, _ revision: Int, finding radius: () -> Double
    ) -> Bool {
        let (part, place) = find(person)
        if part.read(place, of: person, { $0.revision == revision && $0.clear.holds(wider) }) ?? false { return true }
        let clear = Cap(centre: cap.centre, radius: radius())
        guard clear.holds(cap) else { return false }
        part.change(place, of: person) { ($0.clear, $0.revision) = (clear, revision) }
        return true
    }

    /// Clears the cache after changes of fences were undone.
    func forgetAll() { for part in parts { part.forgetAll() } }
}
