internal import Hours
internal import Model
internal import Structures

/// Sorted enumeration of places.
extension LiveState {
    func listed(_ number: PlaceNumber, _ opening: OpeningQuery) -> PlaceListed? {
        catalogue.placeIndex[number].map { entry in
            PlaceListed(
                place: entry.record, favourites: favourites.count(.places, number.any),
                hours: entry.timetable.map { HoursNearby($0, at: opening.instant) })
        }
    }

    func position(_ number: PlaceNumber, _ order: PlaceOrder, _ relevance: Relevance<Place>?) -> PlacePosition {
        var position = PlacePosition(number: number)
        switch order {
        case .popularity: position.count = Int32(favourites.count(.places, number.any))
        case .name: position.name = catalogue.placeIndex[number]?.name ?? ""
        case .relevance: position.count = relevance?.rank(of: number) ?? 0
        case .newest: break
        }
        return position
    }

    /// Whether a visited position is current; places that are popular or of high rank are met again among the others.
    func stands(_ position: PlacePosition, _ order: PlaceOrder, _ relevance: Relevance<Place>?) -> Bool {
        switch order {
        case .popularity: position.count > 0 || favourites.count(.places, position.number.any) == 0
        case .relevance: position.count == relevance?.rank(of: position.number) ?? 0
        case .newest, .name: true
        }
    }

    /// Calls `body` with the positions of all places after one, until it returns false; places that are popular or of high
    /// rank are visited again among the others.
    func visit(
        _ order: PlaceOrder, _ relevance: Relevance<Place>?, after last: PlacePosition?, _ body: (PlacePosition) -> Bool
    ) {
        switch order {
        case .newest:
            visitNewest(before: last?.number, body)
        case .relevance:
            guard let relevance else { return visitNewest(before: last?.number, body) }
            relevance.visit(after: last.map { ($0.count, $0.number) }) { rank, number in
                var position = PlacePosition(number: number)
                position.count = rank
                return body(position)
            }
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
        var next = catalogue.placeIndex.numbers.last(before: last)
        while let number = next, body(PlacePosition(number: number)) {
            next = catalogue.placeIndex.numbers.last(before: number)
        }
    }
}
