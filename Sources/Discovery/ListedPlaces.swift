public import Geo
public import Storage

/// In which order places are listed.
public enum PlaceOrder: String, CaseIterable, Sendable {
    /// What is more people's favourite comes first, then what is newer.
    case popularity
    /// What was made later comes first.
    case newest
    /// By name, whatever its capitals and accents, then what was made earlier.
    case name
}

/// A place in such an order, which stays where it is when what stood there is gone.
public struct PlacePosition: Hashable, Sendable {
    /// How often the last place was a favourite, in the order of popularity; else 0.
    public var count: Int32 = 0
    /// The name of the last place as it is compared, in the order of names; else empty.
    public var name = ""
    /// The number of the last place.
    public var number: Int32

    /// The position after a place.
    public init(number: Int32) { self.number = number }
}

/// A place of a list.
public struct PlaceListed: Sendable {
    /// The place's document with its number and revision.
    public var place: Record<Place>
    /// How many people have it among their favourites.
    public var favourites: Int
    /// Whether it is open; nil for a place without hours.
    public var hours: HoursNearby?
}

/// Some places of a list.
public struct PlacePage: Sendable {
    /// In the order asked for.
    public var items: [PlaceListed]
    /// Where the list goes on; nil at its end.
    public var next: PlacePosition?
    /// Whether so many places were looked at that the page may be short.
    public var isTruncated = false
}

/// Which places are listed, and how much is done for it.
public struct PlaceListQuery: Sendable {
    /// What the places must match, wherever they are, if anywhere.
    public var filter: PlaceFilter
    /// What is asked of their hours.
    public var opening: OpeningQuery
    /// The area they must lie in; nil for any, and for none.
    public var region: Region?
    /// How many are looked at before the page is cut off.
    public var maxScan: Int

    /// A query for the places that match a filter.
    public init(_ filter: PlaceFilter, _ opening: OpeningQuery, in region: Region?, maxScan: Int) {
        self.filter = filter
        self.opening = opening
        self.region = region
        self.maxScan = maxScan
    }
}

extension Picture {
    /// The places that match, in an order, after a position.
    ///
    /// If few places can match, these are looked at; else all in the order asked for until there are enough.
    ///
    /// - Complexity: O(log places + places looked at until `limit` matched), at most O(`maxScan`).
    public func places(
        _ query: PlaceListQuery, by order: PlaceOrder, after last: PlacePosition?, limit: Int
    ) -> PlacePage {
        guard let search = PlaceSearch(query, catalogue.directory) else { return PlacePage(items: []) }
        var found: [PlacePosition] = []
        var cutOff: PlacePosition?
        if let few = search.few {
            for number in few where search.matches(number, catalogue.directory) {
                let position = position(number, order)
                if last.map({ isOrdered($0, position, order) }) ?? true { found.append(position) }
            }
            found.sort { isOrdered($0, $1, order) }
        } else {
            var looked = 0
            visit(order, after: last) { position in
                looked += 1
                if stands(position, order), search.matches(position.number, catalogue.directory) {
                    found.append(position)
                }
                if looked == query.maxScan { cutOff = position }
                return found.count <= limit && cutOff == nil
            }
        }
        let next = found.count > limit ? found[limit - 1] : cutOff
        let items = found.prefix(limit).compactMap { position in listed(position.number, query.opening) }
        return PlacePage(items: items, next: next, isTruncated: found.count <= limit && cutOff != nil)
    }

    private func listed(_ number: Int32, _ opening: OpeningQuery) -> PlaceListed? {
        catalogue.directory[number].map { entry in
            PlaceListed(
                place: entry.record.value, favourites: favourites.count(.places, number),
                hours: entry.timetable.map { HoursNearby($0, at: opening.instant) })
        }
    }

    private func position(_ number: Int32, _ order: PlaceOrder) -> PlacePosition {
        var position = PlacePosition(number: number)
        switch order {
        case .popularity: position.count = Int32(favourites.count(.places, number))
        case .name: position.name = catalogue.directory[number]?.name ?? ""
        case .newest: break
        }
        return position
    }

    private func isOrdered(_ a: PlacePosition, _ b: PlacePosition, _ order: PlaceOrder) -> Bool {
        switch order {
        case .popularity: (a.count, a.number) > (b.count, b.number)
        case .newest: a.number > b.number
        case .name: (a.name, a.number) < (b.name, b.number)
        }
    }

    /// Whether a place that was met is there in the order, and not before in that of popularity.
    private func stands(_ position: PlacePosition, _ order: PlaceOrder) -> Bool {
        order != .popularity || position.count > 0 || favourites.count(.places, position.number) == 0
    }

    /// Calls `body` with all positions after one, until it returns false; popular places come again among the others.
    private func visit(_ order: PlaceOrder, after last: PlacePosition?, _ body: (PlacePosition) -> Bool) {
        switch order {
        case .newest:
            visitNewest(before: last?.number, body)
        case .popularity:
            var goesOn = true
            if last.map({ $0.count > 0 }) ?? true {
                let rank = last.map { Favourites.Rank(count: $0.count, number: $0.number) }
                favourites.ranking(.places).visit(after: rank) { rank in
                    var position = PlacePosition(number: rank.number)
                    position.count = rank.count
                    goesOn = body(position)
                    return goesOn
                }
            }
            guard goesOn else { return }
            visitNewest(before: last.flatMap { $0.count > 0 ? nil : $0.number }, body)
        case .name:
            let key = last.map { Directory.NameKey(name: $0.name, number: $0.number) }
            catalogue.directory.names.visit(after: key) { key in
                var position = PlacePosition(number: key.number)
                position.name = key.name
                return body(position)
            }
        }
    }

    private func visitNewest(before last: Int32?, _ body: (PlacePosition) -> Bool) {
        var number = min(last ?? .max, catalogue.directory.nextNumber) - 1
        while number >= 0 {
            if catalogue.directory[number] != nil {
                guard body(PlacePosition(number: number)) else { return }
            }
            number -= 1
        }
    }
}

/// What is asked of places, in the terms of the directory.
struct PlaceSearch {
    /// So many places are looked at one by one, whatever the order.
    private static var mostLookups: Int { 20_000 }
    /// Where so many places of an area match, some are found soon in any order.
    private static var fewInside: Int { 1000 }

    private let terms: PlaceTerms
    private let opening: OpeningQuery
    private let region: Region?
    /// The numbers that can match at all, if something tells; nil for all.
    private let set: NumberSet?
    /// The same, in order, if they are few.
    let few: [Int32]?

    /// Nil if nothing can match.
    init?(_ query: PlaceListQuery, _ directory: borrowing Directory) {
        guard let terms = PlaceTerms(query.filter, directory.words) else { return nil }
        self.terms = terms
        opening = query.opening
        region = query.region
        set = query.filter.numbers.map { NumberSet($0) }
        let lists = directory.candidates(for: query.filter, terms) + [query.filter.numbers.map { [$0] }]
        let least = lists.compactMap(\.self).min { Self.size($0) < Self.size($1) }
        let few = least.flatMap { lists -> [Int32]? in
            guard Self.size(lists) <= Self.mostLookups else { return nil }
            return lists.count == 1 ? lists[0] : NumberSet(lists.joined()).numbers
        }
        self.few = few ?? Self.inside(query.region, terms, directory)
    }

    /// The places of an area, if these are few and all found soon.
    private static func inside(
        _ region: Region?, _ terms: PlaceTerms, _ directory: borrowing Directory
    ) -> [Int32]? {
        guard let region, let centre = region.circles?.first?.centre else { return nil }
        var query = NearestQuery(limit: fewInside + 1)
        query.region = region
        query.filter = terms.signature
        query.maxScan = mostLookups
        let answer = directory.grid.nearest(query, to: centre, ids: directory.ids)
        guard answer.cutOff == nil, answer.neighbours.count <= fewInside else { return nil }
        return answer.neighbours.map(\.handle)
    }

    private static func size(_ lists: [[Int32]]) -> Int { lists.reduce(0) { $0 + $1.count } }

    func matches(_ number: Int32, _ directory: borrowing Directory) -> Bool {
        guard let entry = directory[number], set?.contains(number) ?? true, terms.match(entry), entry.passes(opening)
        else { return false }
        guard let region else { return true }
        return entry.record.value.value.coordinate.map(region.contains) ?? false
    }
}

extension Directory {
    /// For each thing that a filter asks for, the places that have it, in lists that may share some; nil if it is not asked for.
    func candidates(for filter: PlaceFilter, _ terms: PlaceTerms) -> [[[Int32]]?] {
        [
            terms.kind.map { [carriers.ofKind($0)] },
            terms.categories.isEmpty ? nil : carriers.ofCategories(terms.categories),
            terms.tags.isEmpty ? nil : carriers.ofTags(terms.tags),
            filter.owner.map { [places(ownedBy: $0).numbers] },
        ]
    }
}
