package import Geo
internal import Hours
package import Model
internal import Structures

extension LiveState {
    /// All facts of the in-memory state, one per line, in an order that does not depend on its history.
    ///
    /// Two states with the same facts have equal dumps, whatever the layout of their indexes, and a restart does not
    /// change the dump. A person's fields are found by reflection, so that new fields are never left out.
    package var canonicalDump: [String] {
        var lines: [String] = []
        for number in 0..<people.nextNumber {
            guard var state = people[number] else { continue }
            for other in state.ties.likes.numbers + state.ties.dislikes.numbers where !people.contains(other) {
                state.ties.likes.remove(other)
                state.ties.dislikes.remove(other)
            }
            // A start forgets friendships a day older than the newest one, which may have ended since. A beginning without
            // a friendship would be a leftover.
            let friends = state.ties.friends
            state.ties.newFriends = state.ties.newFriends.filter { !friends.contains($0.key) }
            for (name, value) in Mirror(reflecting: state).children {
                lines.append("\(number) \(name ?? "") \(Self.words(for: value))")
            }
            for device in people.devices.numbers(of: number) {
                lines.append("device \(device) \(number) \(String(describing: people.devices[device]))")
            }
        }
        for number in 0..<catalogue.placeIndex.nextNumber {
            guard let entry = catalogue.placeIndex[number] else { continue }
            lines.append("place \(Self.words(for: entry.record))")
            let place = entry.record.value.coordinate
            lines.append("grid \(number) \(catalogue.placeIndex.grid.place(of: number.rawValue) == place)")
            for item in catalogue.inventory.items(of: number) {
                lines.append("stock \(number) \(item.product) \(String(describing: item.price)) \(item.sizes)")
            }
        }
        for number in catalogue.inventory.products {
            guard let entry = catalogue.inventory[number] else { continue }
            lines.append("product \(Self.words(for: entry.record)) \(entry.made)")
        }
        lines.append(
            "words \(catalogue.placeIndex.words.count) of places, \(catalogue.inventory.words.count) of products")
        let dense = people.levels?.dense.map { "dense \($0.key.id) since \($0.value)" } ?? []
        lines += dense.sorted() + ["levels \(String(describing: people.levels?.made))"]
        lines.append("leaving \(Self.words(for: people.leaving))")
        lines.append("ended tokens \(Self.words(for: people.endedTokens.bounds))")
        lines.append("ended tokens of deleted people \(Self.words(for: people.endedTokens.boundsOfDeleted))")
        lines.append("last event \(lastEvent)")
        return lines + commentsAndFavourites + fences.canonicalDump + shares.canonicalDump + webhooks.canonicalDump
            + people.groups.canonicalDump + people.cells.canonicalDump
    }

    private var commentsAndFavourites: [String] {
        var lines: [String] = []
        for number in 0..<comments.nextNumber { if let comment = comments[number] { lines.append("\(comment)") } }
        for kind in FavouriteKind.allCases {
            for person in 0..<people.nextNumber {
                let entries = favourites.entries(kind, of: person)
                if !entries.isEmpty { lines.append("favourites \(kind) \(person) \(entries)") }
            }
            favourites.ranking(kind).visit(after: nil) { rank in
                lines.append("popular \(kind) \(rank)")
                return true
            }
        }
        for number in 0..<catalogue.placeIndex.nextNumber {
            for comment in comments.numbers(at: number) { lines.append("comment \(comment) at \(number)") }
        }
        return lines
    }

    /// Facts outside the tables: outlier runs, unwritten stays, recently deleted people and uncompacted pings.
    ///
    /// A shutdown writes the stays, and the log has the pings; the others are lost.
    package var volatileDump: [String] {
        var lines = Mirror(reflecting: people.outliers).children.map { "\($0 ?? "") \(Self.words(for: $1))" }
        lines.append("unwritten stays \(Self.words(for: people.pendingStays))")
        lines.append("recently deleted \(Self.words(for: people.recentlyDeleted))")
        for number in 0..<people.nextNumber {
            let logTail = people.logTail[number]
            if !logTail.isEmpty { lines.append("uncompacted \(number) \(Self.words(for: logTail))") }
        }
        return lines
    }

    /// Describes a value, with its unordered parts sorted.
    private static func words(for value: Any) -> String {
        if let timetable = value as? Timetable { return "\(timetable.key)" }
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children.map { name, part in name.map { "\($0): \(words(for: part))" } ?? words(for: part) }
        return switch mirror.displayStyle {
        case .dictionary, .set: "[\(parts.sorted().joined(separator: ", "))]"
        case .optional: parts.first ?? "nil"
        case nil: "\(value)"
        case _ where parts.isEmpty: "\(value)"
        default: "\(type(of: value))(\(parts.joined(separator: ", ")))"
        }
    }
}

extension LiveState {
    /// The cell under which strangers may find a person, for tests and benchmarks.
    package func publicCell(of id: PersonID) -> CubeCell? { people.state(of: id)?.publicCell }

    /// Number of cells finer than the coarsest level, for tests.
    package var denseCells: Int { people.levels?.dense.count ?? 0 }

    /// The origin of a person's searches for strangers, for tests and benchmarks.
    package func searchOrigin(of id: PersonID, at now: Timestamp) -> Coordinate? {
        people.state(of: id)?.searchOrigin(at: now)
    }
}

extension CellIndex {
    var canonicalDump: [String] {
        (0..<Int32(ids.handleLimit)).filter { grid.contains($0) }.map { handle in
            let people = members(of: handle).all.map { "\($0.person):\($0.signature)" }.sorted()
            return "cell \(cell(handle).id) \(grid.signature(of: handle) ?? 0) \(people)"
        }.sorted()
    }
}
