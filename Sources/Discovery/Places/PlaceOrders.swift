internal import Hours
internal import Model
internal import Structures

/// Orders of places.
extension Picture {
    func listed(_ number: PlaceNumber, _ opening: OpeningQuery) -> PlaceListed? {
        catalogue.placeIndex[number].map { entry in
            PlaceListed(
                place: entry.record, favourites: favourites.count(.places, number.any),
                hours: entry.timetable.map { HoursNearby($0, at: opening.instant) })
        }
    }

    func position(_ number: PlaceNumber, _ order: PlaceOrder) -> PlacePosition {
        var position = PlacePosition(number: number)
        switch order {
        case .popularity: position.count = Int32(favourites.count(.places, number.any))
        case .name: position.name = catalogue.placeIndex[number]?.name ?? ""
        case .newest: break
        }
        return position
    }

    /// Whether a place that was met is there in the order, and not before in that of popularity.
    func stands(_ position: PlacePosition, _ order: PlaceOrder) -> Bool {
        order != .popularity || position.count > 0 || favourites.count(.places, position.number.any) == 0
    }

    /// Whether a position that was met is that of a place, and not of one that is gone.
    func isThere(_ position: PlacePosition) -> Bool { catalogue.placeIndex[position.number] != nil }

    /// Calls `body` with all positions after one, until it returns false; popular places come again among the others, and so do
    /// places that are gone, so that whoever counts counts them.
    func visit(_ order: PlaceOrder, after last: PlacePosition?, _ body: (PlacePosition) -> Bool) {
        switch order {
        case .newest:
            visitNewest(before: last?.number, body)
        case .popularity:
            var goesOn = true
            if last.map({ $0.count > 0 }) ?? true {
                let rank = last.map { Favourites.Rank(count: $0.count, number: $0.number.any) }
                favourites.ranking(.places).visit(after: rank) { rank in
                    var position = PlacePosition(number: Number(rank.number))
                    position.count = rank.count
                    goesOn = body(position)
                    return goesOn
                }
            }
            guard goesOn else { return }
            visitNewest(before: last.flatMap { $0.count > 0 ? nil : $0.number }, body)
        case .name:
            let key = last.map { PlaceIndex.NameKey(name: $0.name, number: $0.number) }
            catalogue.placeIndex.names.visit(after: key) { key in
                var position = PlacePosition(number: key.number)
                position.name = key.name
                return body(position)
            }
        }
    }

    private func visitNewest(before last: PlaceNumber?, _ body: (PlacePosition) -> Bool) {
        let end = min(last ?? catalogue.placeIndex.nextNumber, catalogue.placeIndex.nextNumber)
        for number in (0..<end).reversed() where !body(PlacePosition(number: number)) { return }
    }
}
