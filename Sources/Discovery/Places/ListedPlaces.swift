public import Geo
public import Hours
public import Model

/// In which order places are listed.
public enum PlaceOrder: String, CaseIterable, Sendable {
    /// What is more people's favourite comes first, then what is newer.
    case popularity
    /// What was made later comes first.
    case newest
    /// By name, whatever its capitals and accents, then what was made earlier.
    case name

    fileprivate func puts(_ a: PlacePosition, before b: PlacePosition) -> Bool {
        switch self {
        case .popularity: (a.count, a.number) > (b.count, b.number)
        case .newest: a.number > b.number
        case .name: (a.name, a.number) < (b.name, b.number)
        }
    }
}

/// A place in such an order, which stays where it is when what stood there is gone.
public struct PlacePosition: Hashable, Sendable {
    /// How often the last place was a favourite, in the order of popularity; else 0.
    public var count: Int32 = 0
    /// The name of the last place as it is compared, in the order of names; else empty.
    public var name = ""
    /// The number of the last place.
    public var number: PlaceNumber

    /// The position after a place.
    public init(number: PlaceNumber) { self.number = number }
}

/// A place of a list.
public struct PlaceListed: Sendable {
    /// The place's document with its number and revision.
    public var place: Versioned<Place>
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
    /// The place that their own areas must hold; nil for any, and for none.
    public var contained: Coordinate?
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

/// A list of places in an order, after a position, that is looked for in parts, between which the picture may change.
///
/// If few places can match, these are looked at; else all in the order until there are enough. What keeps its key in the
/// order meanwhile comes exactly once, as it was when it was looked at.
public struct PlaceListing: SearchInParts {
    private let query: PlaceListQuery
    private let conditions: PlaceConditions
    private let order: PlaceOrder
    private let after: PlacePosition?
    private let limit: Int
    /// Nil before the first part.
    private var search: PlaceSearch?
    private var looked = 0
    /// The last place looked at, in the order.
    private var last: PlacePosition?
    /// In the order, and one more than the limit if there is one.
    private var found: [(position: PlacePosition, place: PlaceListed)] = []
    private var isCutOff = false
    private var hasNarrowed = false

    /// So many places of an area are looked at at once; whether more are few is asked when so many in the order did not fill
    /// the page, for it takes long where they are many.
    private static let (fewInside, walkBeforeNarrowing) = (200, 1000)

    /// A list of at most `limit` places.
    public init(_ query: PlaceListQuery, by order: PlaceOrder, after: PlacePosition?, limit: Int) {
        self.query = query
        conditions = PlaceConditions(query.filter)
        self.order = order
        self.after = after
        self.limit = limit
        last = after
    }

    /// What was found, once all parts were looked at.
    public var page: PlacePage {
        let isFull = found.count > limit
        let next = isFull ? found[limit - 1].position : isCutOff ? last : nil
        return PlacePage(items: found.prefix(limit).map(\.place), next: next, isTruncated: !isFull && isCutOff)
    }

    /// - Complexity: O(log places + `most`); of the first part also O(places that can match) if these are few.
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        if search == nil {
            search = PlaceSearch(query, conditions, fewInside: Self.fewInside, picture.catalogue.placeIndex, &steps)
        } else if looked == Self.walkBeforeNarrowing, search?.few == nil, !hasNarrowed {
            // Between the two ways this is where a page costs the same: `limit` * places / those inside looked at, or those.
            let few = (Double(limit) * Double(picture.catalogue.placeIndex.count)).squareRoot()
            hasNarrowed = true
            if search?.narrow(toAtMost: Int(few), picture.catalogue.placeIndex, &steps) ?? false {
                (looked, found) = (0, [])
            }
        }
        guard let search else { return true }
        return search.few.map { look(up: $0, search, picture, &steps, most) } ?? walk(search, picture, &steps, most)
    }

    package var course: SearchCourse {
        let isEach = search?.few != nil
        let walked = hasNarrowed && isEach ? Self.walkBeforeNarrowing : 0
        let ways: [SearchCourse.Way] = isEach ? [.each] : search == nil ? [] : [.inOrder]
        return SearchCourse((walked > 0 ? [.inOrder] : []) + ways, looked: walked + looked, isCutOff: isCutOff)
    }

    private mutating func look(
        up few: [PlaceNumber], _ search: PlaceSearch, _ picture: borrowing Picture, _ steps: inout Int, _ most: Int
    ) -> Bool {
        let order = order
        var fresh: [PlacePosition] = []
        repeat {
            guard looked < few.count else { break }
            let number = few[looked]
            looked += 1
            guard search.matches(number, picture.catalogue.placeIndex, &steps) else { continue }
            // Its name is compared with others.
            steps += 5
            let position = picture.position(number, order)
            if after.map({ order.puts($0, before: position) }) ?? true { fresh.append(position) }
        } while steps < most
        fresh.sort { order.puts($0, before: $1) }
        for position in fresh.prefix(limit + 1) { add(position, picture, &steps) }
        found.sort { order.puts($0.position, before: $1.position) }
        found.removeLast(max(0, found.count - limit - 1))
        return looked == few.count
    }

    private mutating func walk(
        _ search: PlaceSearch, _ picture: borrowing Picture, _ steps: inout Int, _ most: Int
    ) -> Bool {
        let end = min(query.maxScan, hasNarrowed || query.region == nil ? .max : Self.walkBeforeNarrowing)
        var hasEnded = true
        picture.visit(order, after: last) { position in
            last = position
            steps += 1
            looked += 1
            if picture.stands(position, order), search.matches(position.number, picture.catalogue.placeIndex, &steps) {
                add(position, picture, &steps)
            }
            hasEnded = found.count <= limit && looked < end && steps < most
            return hasEnded
        }
        isCutOff = !hasEnded && looked == query.maxScan
        return hasEnded || isCutOff || found.count > limit
    }

    private mutating func add(_ position: PlacePosition, _ picture: borrowing Picture, _ steps: inout Int) {
        steps += 20
        guard let place = picture.listed(position.number, query.opening) else { return }
        found.append((position, place))
    }
}
