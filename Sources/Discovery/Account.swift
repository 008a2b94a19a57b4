package import Geo
package import Storage

extension Picture {
    /// All that the picture holds, a line for each fact, in an order that does not depend on how it came to be.
    ///
    /// Two pictures of the same facts give the same account, whatever their indexes look like inside.
    package var account: [String] {
        var lines: [String] = []
        for number in 0..<crowd.nextNumber {
            guard let state = crowd[number] else { continue }
            lines.append("person \(Self.sorted(state.record.value))")
            lines.append("position \(number) \(state.last.map { "\($0)" } ?? "unknown") \(state.publicCell?.id ?? 0)")
            lines.append(
                "discovery \(number) \(String(describing: state.viewpoint)) \(String(describing: state.residence)) \(state.haunts)"
            )
            let ties = [state.friends, state.asked, state.askedBy, state.blocks, state.blockedBy].map(\.numbers)
            lines.append("ties \(number) \(ties)")
            let decisions = [state.likes, state.dislikes].map { $0.numbers.filter { crowd[$0] != nil } }
            lines.append("decisions \(number) \(decisions)")
            for device in crowd.devices.numbers(of: number) {
                lines.append("device \(device) \(number) \(String(describing: crowd.devices[device]?.device))")
            }
        }
        for number in 0..<catalogue.directory.nextNumber {
            guard let entry = catalogue.directory[number] else { continue }
            lines.append("place \(Self.sorted(entry.record.value))")
            let place = entry.record.value.value.coordinate
            lines.append("grid \(number) \(catalogue.directory.grid.place(of: number) == place)")
            for item in catalogue.shelves.items(of: number) {
                lines.append("stock \(number) \(item.product) \(String(describing: item.price)) \(item.sizes)")
            }
        }
        for number in catalogue.shelves.products {
            let made = catalogue.shelves[number].map { "\($0.made)" } ?? ""
            lines.append("product \(String(describing: catalogue.shelves[number]?.record.value)) \(made)")
        }
        let dense = crowd.levels?.dense.map { "dense \($0.key.id) since \($0.value)" } ?? []
        lines += dense.sorted() + ["levels \(String(describing: crowd.levels?.made))"]
        return lines + opinions + crowd.groups.account + crowd.labels.account + crowd.cells.account
    }

    private var opinions: [String] {
        var lines: [String] = []
        for number in 0..<comments.nextNumber { if let comment = comments[number] { lines.append("\(comment)") } }
        for kind in FavouriteKind.allCases {
            for person in 0..<crowd.nextNumber {
                let marks = favourites.marks(kind, of: person)
                if !marks.isEmpty { lines.append("favourites \(kind) \(person) \(marks)") }
            }
            favourites.ranking(kind).visit(after: nil) { rank in
                lines.append("popular \(kind) \(rank)")
                return true
            }
        }
        for number in 0..<catalogue.directory.nextNumber {
            for comment in comments.numbers(at: number) { lines.append("comment \(comment) at \(number)") }
        }
        return lines
    }

    // Attributes in the order of their names, which a dictionary does not keep.

    private static func sorted(_ record: Record<Person>) -> String {
        var person = record.value
        let attributes = person.attributes.sorted { $0.key < $1.key }
        person.attributes = [:]
        return "\(record.number) \(record.revision) \(person) \(attributes)"
    }

    private static func sorted(_ record: Record<Place>) -> String {
        var place = record.value
        let attributes = place.attributes.sorted { $0.key < $1.key }
        place.attributes = [:]
        return "\(record.number) \(record.revision) \(place) \(attributes)"
    }
}

extension Picture {
    /// The cell by which strangers may find a person, for tests and measurements.
    package func publicCell(of id: EntityID) -> CubeCell? { crowd.state(of: id)?.publicCell }

    /// How many cells are finer than the coarsest level, for tests.
    package var denseCells: Int { crowd.levels?.dense.count ?? 0 }

    /// From where a person looks for strangers, for tests and measurements.
    package func viewpoint(of id: EntityID, at now: Timestamp) -> Coordinate? {
        crowd.state(of: id)?.viewpoint(at: now)
    }
}

extension CellIndex {
    var account: [String] {
        (0..<Int32(ids.handleLimit)).filter { grid.contains($0) }.map { handle in
            let people = members(of: handle).all.map { "\($0.person):\($0.signature)" }.sorted()
            return "cell \(cell(handle).id) \(grid.signature(of: handle) ?? 0) \(people)"
        }.sorted()
    }
}
