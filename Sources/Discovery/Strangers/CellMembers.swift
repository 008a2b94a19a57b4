internal import Model

/// The discoverable people of a cell, in parts by the first bits of keyed hashes of their numbers.
///
/// So they can be gone through in an order that is each viewer's own, from any position on, without looking at all of them: a
/// cell may hold a million people of one city. The order is that of the hashes with some bits, which are the viewer's,
/// exchanged: the parts come one after the other, and only what is in a part has to be sorted.
struct CellMembers: Sendable {
    struct Member: Sendable {
        var person: PersonNumber
        /// Keyed, and the same for all viewers.
        var hash: UInt32
        var signature: UInt64
    }

    struct Part: Sendable {
        private(set) var members: [Member] = []
        /// The union of the members' signatures.
        private(set) var signature: UInt64 = 0

        fileprivate mutating func insert(_ member: Member) {
            members.append(member)
            signature |= member.signature
        }

        fileprivate mutating func remove(_ person: PersonNumber) -> Member? {
            guard let index = members.firstIndex(where: { $0.person == person }) else { return nil }
            let member = members[index]
            let last = members.removeLast()
            if last.person != person { members[index] = last }
            signature = members.reduce(0) { $0 | $1.signature }
            return member
        }
    }

    /// How many members a part has on average at most.
    private static let crowdedPart = 48

    private(set) var count = 0
    /// How many bits of a hash choose the part.
    private var bits: UInt32 = 0
    private var parts = [Part()]

    /// - Complexity: O(1) on average.
    mutating func insert(_ member: Member) {
        if count >= Self.crowdedPart << bits { divide() }
        count += 1
        parts[index(member.hash)].insert(member)
    }

    /// - Complexity: O(1) on average.
    mutating func remove(_ person: PersonNumber, hash: UInt32) -> Member? {
        guard let member = parts[index(hash)].remove(person) else { return nil }
        count -= 1
        return member
    }

    var all: [Member] { parts.flatMap(\.members) }

    private func index(_ hash: UInt32) -> Int { Int((UInt64(hash) << UInt64(bits)) >> 32) }

    private mutating func divide() {
        let members = all
        bits += 1
        parts = Array(repeating: Part(), count: 1 << Int(bits))
        for member in members { parts[index(member.hash)].insert(member) }
    }

    // MARK: - In the order of a viewer

    var partCount: Int { parts.count }

    /// The place of the part that a position in the order lies in; the position's first 32 bits are those of a hash as
    /// the viewer has it.
    func place(of position: UInt64) -> Int { index(UInt32(position >> 32)) }

    /// The part at a place in the order of a viewer.
    func part(_ place: Int, for viewer: UInt32) -> Part { parts[place ^ index(viewer)] }

    /// The last position of the part at a place.
    func end(of place: Int) -> UInt64 { (UInt64(place + 1) << UInt64(64 - bits)) &- 1 }
}
