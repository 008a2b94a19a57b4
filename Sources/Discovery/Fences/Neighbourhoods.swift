internal import Geo
internal import Model
internal import Synchronization

/// Which fences are near people, and where none is, kept from one search to the next.
///
/// It is no part of what is true: who asks is told the same whether something was kept or not. Both pictures share it, since
/// what is kept says of which revision of the index it is.
final class Neighbourhoods: Sendable {
    /// What is kept of a person.
    private struct Kept {
        var person: PersonNumber = -1
        /// Where nothing is that may watch the person, and of which revision of the fences that was found.
        var clear = Cap.empty
        var revision = 0
        var near: NearAreas?
    }

    /// Some of what is kept, so that threads seldom wait for each other.
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

    /// Of so many people at most a part keeps something: of whoever was looked at last.
    private static let most = 1_024
    private let parts = (0..<64).map { _ in Part() }

    private func find(_ person: PersonNumber) -> (part: Part, place: Int) {
        let number = Int(person.rawValue)
        return (parts[number % parts.count], number / parts.count % Self.most)
    }

    /// Looks for something near a person with what is kept, and keeps what that found.
    func look<Found>(near person: PersonNumber, _ body: (inout NearAreas?) -> Found) -> Found {
        let (part, place) = find(person)
        let kept = part.read(place, of: person) { $0.near } ?? nil
        var near = kept
        let found = body(&near)
        if near !== kept { part.change(place, of: person) { $0.near = near } }
        return found
    }

    /// Whether nothing is in a cap that may watch a person, as it is kept or found of a revision of the fences.
    ///
    /// It is found anew unless it is kept of a wider cap, too.
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

    /// Forgets what was found of fences of which the last changes were undone.
    func forgetAll() { for part in parts { part.forgetAll() } }
}
