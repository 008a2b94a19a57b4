internal import Discovery
internal import Model
internal import Normaliser

/// Finds rows of a file that replace an earlier row with the same id.
struct RepeatedIDs: Sendable {
    /// The number of ids that are kept, with about 13 MB of hashes and rows.
    private static let most = 750_000

    /// The last row by hash of its id.
    private var rows: [Int: UInt32] = [:]
    private var isFull = false
    private var doubts = 0

    /// The doubt about a row with the id of an earlier row; nil for a row with an id of its own.
    mutating func doubt(_ item: ImportItem, row: Int) -> Remark? {
        guard let id = item.id, let number = UInt32(exactly: row) else { return nil }
        let hash = id.hashValue
        let first = rows[hash]
        if first != nil || rows.count < Self.most { rows[hash] = number } else { isFull = true }
        guard let first else { return nil }
        doubts += 1
        return Remark("id", .doubted, "'\(id)' is also the id of row \(first), which this row replaces")
    }

    /// The number of such rows, and whether some may have been missed, as sentences.
    var notes: [String] {
        let count = doubts == 1 ? "1 row replaces" : "\(doubts) rows replace"
        return (doubts > 0 ? ["warning: \(count) an earlier row with the same id"] : [])
            + (isFull ? ["the file has many rows: ids were compared only with the first \(Self.most)"] : [])
    }
}

extension ImportItem {
    /// The id of what the row replaces as a whole; nil for rows of several parts, and for positions.
    fileprivate var id: String? {
        switch self {
        case .write(.person(let put)): put.write.value.id.text
        case .write(.place(let put)): put.write.value.id.text
        case .write(.product(let put)): put.write.value.id.text
        case .write(.friends), .write(.stock), .ping: nil
        }
    }
}
