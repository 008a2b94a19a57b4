internal import Geo
internal import Synchronization

/// Encoded tiles of places without an owner, the most recently used ones of about ``capacity`` bytes.
final class TileCache: Sendable {
    struct Key: Hashable {
        let kind: String
        let tile: MapTile
    }

    /// A tile as long as its places have this summary.
    struct Entry {
        let summary: TileSummary
        let body: [UInt8]
        /// The number of the entity tag.
        let tag: Int64
        /// The work of making it, which each caller is charged, so that the charge does not reveal earlier requests.
        let steps: Int
    }

    private struct Generations {
        var recent: [Key: Entry] = [:]
        var older: [Key: Entry] = [:]
        var bytes = 0
    }

    /// The bytes of memory of an entry beside its body and its kind.
    private static let overhead = 512

    private let capacity: Int
    private let generations = Mutex(Generations())

    /// - Parameter capacity: The maximum number of bytes, beyond which one further tile may be kept.
    init(capacity: Int = 32 << 20) { self.capacity = capacity }

    /// The bytes of memory of the tiles; at most half of the capacity is counted for older ones.
    var bytes: Int {
        generations.withLock { state in
            state.bytes + state.older.reduce(0) { $0 + Self.bytes($1.value, for: $1.key) }
        }
    }

    /// The tile with this summary; nil if it is not kept.
    func entry(for key: Key, _ summary: TileSummary) -> Entry? {
        generations.withLock { state in
            if let entry = state.recent[key] { return entry.summary == summary ? entry : nil }
            guard let entry = state.older[key], entry.summary == summary else { return nil }
            put(entry, for: key, in: &state)
            return entry
        }
    }

    func put(_ entry: Entry, for key: Key) { generations.withLock { put(entry, for: key, in: &$0) } }

    private func put(_ entry: Entry, for key: Key, in state: inout Generations) {
        state.older[key] = nil
        if let old = state.recent.removeValue(forKey: key) { state.bytes -= Self.bytes(old, for: key) }
        let bytes = Self.bytes(entry, for: key)
        if state.bytes + bytes > capacity / 2 {
            (state.older, state.recent, state.bytes) = (state.recent, [:], 0)
        }
        state.recent[key] = entry
        state.bytes += bytes
    }

    private static func bytes(_ entry: Entry, for key: Key) -> Int {
        overhead + entry.body.count + key.kind.utf8.count
    }
}
