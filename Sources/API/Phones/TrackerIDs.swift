internal import Foundation
package import Model

/// OwnTracks' tracker ids of two characters, unique among a person's friends, and stable while the friends are the
/// same.
///
/// The 2,500 people who get one are chosen by id, so that nothing changes when a friend moves, pauses or comes back.
package struct TrackerIDs {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz")
    /// The most people who get one: two thirds of all pairs, so that a free one is found quickly.
    private static let most = 2500
    private static let count = characters.count * characters.count

    private var given: [PersonID: String] = [:]

    /// Assigns an id other than `own` to each person in the order of person ids, to 2,500 at most.
    package init(for people: [Person], besides own: String) {
        var taken: Set<String> = [own]
        for person in people.sorted(by: { $0.id < $1.id }).prefix(Self.most) {
            let free = Self.candidates(of: person).first { !taken.contains($0) } ?? Self.pair(after: person.id, taken)
            taken.insert(free)
            given[person.id] = free
        }
    }

    package subscript(id: PersonID) -> String? { given[id] }

    /// The first choice for a person, regardless of others.
    static func own(_ person: Person) -> String { candidates(of: person).first ?? "ME" }

    /// The preferred ids: the initials, the beginning of the name, the beginning of the id.
    private static func candidates(of person: Person) -> [String] {
        let words = [person.name, person.surname].compactMap(\.self).joined(separator: " ").split(separator: " ")
            .map(letters)
        let initials = words.compactMap(\.first).prefix(2)
        return [String(initials), String(words.first?.prefix(2) ?? ""), String(letters(person.id.text[...]).prefix(2))]
            .filter { $0.count == 2 }
    }

    /// Capital letters without accents, and digits.
    private static func letters(_ text: Substring) -> String {
        // By scalars, because an accent and its letter are one character.
        let scalars = text.decomposedStringWithCanonicalMapping.uppercased().unicodeScalars.filter { scalar in
            ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The first free pair, starting from one that depends on the id alone.
    private static func pair(after id: PersonID, _ taken: Set<String>) -> String {
        // FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo).
        let start = id.text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        var number = Int(start % UInt64(count))
        while true {
            let (first, second) = number.quotientAndRemainder(dividingBy: characters.count)
            let pair = "\(characters[first])\(characters[second])"
            if !taken.contains(pair) { return pair }
            number = (number + 1) % count
        }
    }
}
