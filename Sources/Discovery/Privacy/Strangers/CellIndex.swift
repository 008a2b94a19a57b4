internal import Geo
internal import Model
internal import Structures

/// An index of the public cells with their discoverable people; the grid contains only the cells' centers.
///
/// A cell may hold a million people, all of one city. Insertion and removal are independent of their number.
struct CellIndex: ~Copyable, Sendable {
    struct Listing: Equatable {
        var cell: CubeCell
        var signature: UInt64
    }

    private struct Entry: Sendable {
        /// Above this number of members, signature bits are counted instead of recomputed from all members.
        static let fewMembers = 64

        let cell: CubeCell
        var members = CellMembers()
        /// The number of members with each signature bit; empty while there are few members.
        var carriers: [Int32] = []
        /// The union of the members' signatures.
        var signature: UInt64 = 0

        mutating func count(_ bits: UInt64, by change: Int32) {
            guard members.count > Self.fewMembers else {
                carriers = []
                signature = members.all.reduce(0) { $0 | $1.signature }
                return
            }
            if carriers.isEmpty {
                let all = members.all
                carriers = (0..<64).map { bit in Int32(all.count { $0.signature & 1 << UInt64(bit) != 0 }) }
            } else {
                for bit in 0..<64 where bits & 1 << UInt64(bit) != 0 { carriers[bit] += change }
            }
            signature = (0..<64).reduce(0) { $0 | (carriers[$1] > 0 ? 1 << UInt64($1) : 0) }
        }
    }

    /// The cells' numbers in hexadecimal.
    private(set) var ids = Identifiers()
    private(set) var grid = Grid()
    private var entries = Pages<Entry>()
    private var handles: [CubeCell: Int32] = [:]
    /// The key of the hashes that place people within a cell.
    private let key: SipKey

    init(key: SipKey) { self.key = key }

    private init(copying other: borrowing CellIndex) {
        ids = other.ids
        grid = other.grid.copy()
        entries = other.entries
        handles = other.handles
        key = other.key
    }

    func copy() -> CellIndex { CellIndex(copying: self) }

    /// The cell of a grid handle.
    func cell(_ handle: Int32) -> CubeCell { entries[Int(handle)].cell }

    func members(of handle: Int32) -> CellMembers { entries[Int(handle)].members }

    private func hash(_ person: PersonNumber) -> UInt32 { UInt32(truncatingIfNeeded: key.hash(UInt64(person))) }

    mutating func insert(_ person: PersonNumber, _ listing: Listing) {
        let handle = handle(of: listing.cell)
        let before = entries[Int(handle)].signature
        entries[Int(handle)].members.insert(
            CellMembers.Member(person: person, hash: hash(person), signature: listing.signature))
        entries[Int(handle)].count(listing.signature, by: 1)
        refresh(handle, before)
    }

    mutating func remove(_ person: PersonNumber, from cell: CubeCell) {
        let handle = handle(of: cell)
        let before = entries[Int(handle)].signature
        guard let member = entries[Int(handle)].members.remove(person, hash: hash(person)) else { return }
        entries[Int(handle)].count(member.signature, by: -1)
        refresh(handle, before)
    }

    private mutating func refresh(_ handle: Int32, _ before: UInt64) {
        let entry = entries[Int(handle)]
        guard entry.signature != before else { return }
        if entry.signature == 0 {
            grid.remove(handle)
        } else {
            grid.upsert(handle, at: entry.cell.centre, signature: entry.signature)
        }
    }

    private mutating func handle(of cell: CubeCell) -> Int32 {
        if let handle = handles[cell] { return handle }
        let handle = ids.insert(String(cell.id, radix: 16))
        handles[cell] = handle
        entries.append(Entry(cell: cell))
        return handle
    }
}
