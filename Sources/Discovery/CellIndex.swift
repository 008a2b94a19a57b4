internal import Geo

/// Public cells with the discoverable people in them; the grid knows the cells' centres only.
struct CellIndex: ~Copyable, Sendable {
    struct Listing: Equatable {
        var cell: CubeCell
        var signature: UInt64
    }

    struct Member: Sendable {
        var person: Int32
        var signature: UInt64
    }

    /// The cells' numbers in hexadecimal.
    private(set) var ids = Identifiers()
    private(set) var grid = Grid()
    private var members: [[Member]] = []
    private var cells: [CubeCell] = []

    init() {}

    private init(copying other: borrowing CellIndex) {
        ids = other.ids
        grid = other.grid.copy()
        members = other.members
        cells = other.cells
    }

    func copy() -> CellIndex { CellIndex(copying: self) }

    /// The cell that a handle of ``grid`` stands for.
    func cell(_ handle: Int32) -> CubeCell { cells[Int(handle)] }

    /// The discoverable people in a cell.
    func members(of handle: Int32) -> [Member] { members[Int(handle)] }

    mutating func insert(_ person: Int32, _ listing: Listing) {
        let handle = ids.insert(String(listing.cell.id, radix: 16))
        if Int(handle) == members.count {
            members.append([])
            cells.append(listing.cell)
        }
        members[Int(handle)].append(Member(person: person, signature: listing.signature))
        refresh(handle)
    }

    mutating func remove(_ person: Int32, from cell: CubeCell) {
        guard let handle = ids[String(cell.id, radix: 16)],
            let position = members[Int(handle)].firstIndex(where: { $0.person == person })
        else { return }
        members[Int(handle)].remove(at: position)
        refresh(handle)
    }

    private mutating func refresh(_ handle: Int32) {
        let members = members[Int(handle)]
        if members.isEmpty {
            grid.remove(handle)
        } else {
            grid.upsert(
                handle, at: cells[Int(handle)].centre, signature: members.reduce(0) { $0 | $1.signature })
        }
    }
}
