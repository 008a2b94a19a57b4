internal import Geo
internal import Model
internal import Synchronization

/// Which fences are near people, kept from one search to the next.
///
/// It is no part of what is true: who asks is told the same whether something was kept or not. Both pictures share it, since
/// what is kept says of which revision of the index it is.
final class Neighbourhoods: Sendable {
    /// Some of what is kept, so that threads seldom wait for each other.
    private final class Part: Sendable {
        let kept = Mutex<[(person: PersonNumber, near: NearAreas)?]>([])
    }

    /// Of so many people at most a part keeps something: of whoever was looked at last.
    private static let most = 1_024
    private let parts = (0..<64).map { _ in Part() }

    /// Looks for something near a person with what is kept, and keeps what that found.
    func look<Found>(near person: PersonNumber, _ body: (inout NearAreas?) -> Found) -> Found {
        let number = Int(person.rawValue)
        let part = parts[number % parts.count]
        let place = number / parts.count % Self.most
        let kept = part.kept.withLock { kept in
            place < kept.count ? kept[place].flatMap { $0.person == person ? $0.near : nil } : nil
        }
        var near = kept
        let found = body(&near)
        guard let near, near !== kept else { return found }
        part.kept.withLock { kept in
            while kept.count <= place { kept.append(nil) }
            kept[place] = (person, near)
        }
        return found
    }

    /// Forgets what was found in an index of which the last changes were undone.
    func forgetAll() { for part in parts { part.kept.withLock { $0 = [] } } }
}
