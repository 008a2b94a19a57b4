internal import Model

/// The discoverable people of a cell, partitioned by the leading bits of keyed hashes of their numbers.
///
/// This allows a scan from any position in an order of the viewer's own, without sorting the whole cell, which may hold
/// a million people of one city. The order is the hashes' with some bits flipped by a mask of the viewer, so that parts
/// remain contiguous, and only the members of one part need sorting.
struct CellMembers: Sendable {
    struct Member: Sendable {
        var person: PersonNumber
        /// Keyed, and equal for all viewers.
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

    /// The maximum average number of members in a part.
    private static let crowdedPart = 48

    private(set) var count = 0
    /// The number of hash bits that select the part.
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

    // MARK: - The viewer's order

    var partCount: Int { parts.count }

    /// The index of the part that contains a position, whose first 32 bits are a hash masked by the viewer.
    func place(of position: UInt64) -> Int { index(UInt32(position >> 32)) }

    /// The part at an index in a viewer's order.
    func part(_ place: Int, for viewer: UInt32) -> Part { parts[place ^ index(viewer)] }

    /// The last position of a part.
    func end(of place: Int) -> UInt64 { (UInt64(place + 1) << UInt64(64 - bits)) &- 1 }
}
