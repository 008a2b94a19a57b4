internal import Geo
internal import Model
internal import Storage
internal import Structures

/// Memory use of a part of the state.
package struct MemoryShare: Sendable {
    /// The name of the part.
    package var part: String
    /// Capacity of the containers, without the overhead of `malloc` and strings of more than 15 bytes.
    package var bytes: Int
    /// Whether both copies of the state share it.
    package var sharing: Sharing

    /// Whether both copies of the state share memory.
    package enum Sharing: String, Sendable {
        /// Always.
        case always = "shared"
        /// Copy-on-write by page, block or box.
        case untilChanged = "shared until changed"
        case never = "apart"
    }
}

extension LiveState {
    /// Memory use per person and place, for benchmarks.
    ///
    /// - Complexity: O(people + places).
    package var memory: [MemoryShare] { people.memory + catalogue.placeIndex.memory }
}

extension People {
    fileprivate var memory: [MemoryShare] {
        var (documents, boxes) = (0, 0)
        for number in 0..<nextNumber {
            guard let state = self[number] else { continue }
            documents += state.record.bytes + state.person.bytes
            boxes += state.bytes
        }
        let waiting = logTail.people.reduce(0) { $0 + logTail[$1].pings.capacity }
        return [
            MemoryShare(part: "people: documents", bytes: documents, sharing: .always),
            MemoryShare(part: "people: ids", bytes: ids.bytes, sharing: .untilChanged),
            MemoryShare(part: "people: last positions", bytes: bytesOfStates, sharing: .untilChanged),
            MemoryShare(part: "people: ties, sharing, discovery", bytes: boxes, sharing: .untilChanged),
            MemoryShare(part: "people: index of cells", bytes: cells.grid.bytes, sharing: .never),
            MemoryShare(
                part: "people: uncompacted pings", bytes: waiting * MemoryLayout<LoggedPing>.stride,
                sharing: .never),
        ]
    }
}

extension PlaceIndex {
    fileprivate var memory: [MemoryShare] {
        let documents = (0..<nextNumber).reduce(0) { sum, number in
            sum + (self[number].map { $0.record.bytes + $0.record.value.bytes } ?? 0)
        }
        return [
            MemoryShare(part: "places: documents", bytes: documents, sharing: .always),
            MemoryShare(part: "places: ids", bytes: ids.bytes, sharing: .untilChanged),
            MemoryShare(part: "places: values of filters", bytes: bytesOfEntries, sharing: .untilChanged),
            MemoryShare(part: "places: index", bytes: grid.bytes, sharing: .never),
            MemoryShare(part: "places: points", bytes: points.bytes, sharing: .untilChanged),
            MemoryShare(part: "places: names in order", bytes: names.bytes, sharing: .untilChanged),
            MemoryShare(part: "places: map tiles", bytes: tiles.bytes, sharing: .untilChanged),
        ]
    }
}
