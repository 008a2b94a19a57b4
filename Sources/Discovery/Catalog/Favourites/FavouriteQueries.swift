internal import Geo
public import Model
internal import Structures

/// A favorite, as shown to the person who has it.
public struct FavouriteShown: Sendable {
    /// The person, place or product.
    public enum Subject: Sendable {
        /// A person, reduced to what the viewer may see.
        case person(Person)
        case place(Versioned<Place>)
        case product(Versioned<Product>)
    }

    /// The person, place or product.
    public var subject: Subject
    /// When it became a favorite.
    public var since: Timestamp
    /// The number of people with this favorite; always 0 for people, whose popularity is private.
    public var count: Int
    /// The position after it, at which a list continues.
    public var position: FavouritePosition
}

/// A keyset position in a list of favorites.
public struct FavouritePosition: Hashable, Sendable {
    /// When the last item became a favorite.
    public var since: Timestamp
    /// The number of the last item.
    public var number: AnyNumber

    /// The position after a favorite.
    public init(since: Timestamp, number: AnyNumber) {
        self.since = since
        self.number = number
    }
}

extension Engine {
    /// Returns a person's favorites of a kind, newest first, after a position in the list.
    ///
    /// People separated from the person by a block are omitted, and the person is not charged for them.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func favourites(
        _ kind: FavouriteKind, of id: PersonID, after last: FavouritePosition?, limit: Int
    ) async throws -> [FavouriteShown] {
        let entries = try read { state throws(Refusal) in
            guard let person = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return state.favourites.entries(kind, of: person)
        }
        let after = last.map { Favourites.Entry(since: $0.since, other: $0.number) }
        let rest = entries.prefix { entry in after.map { entry < $0 } ?? true }
        let shown = try await WorkBudget.unchargedTask {
            try await read(each: rest.reversed(), costing: 15, atMost: limit) { $0.show($1, kind, to: id) }
        }
        WorkBudget.charge(15 * shown.count)
        return shown
    }
}

/// Visibility of favorites.
extension LiveState {
    /// The number of people who have a place or product among their favorites.
    public func favourites(_ kind: FavouriteKind, _ number: AnyNumber) -> Int {
        kind == .people ? 0 : favourites.count(kind, number)
    }

    /// Returns a person's favorite.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` for the person, or for the favorite (also if nothing has that id).
    public func favourite(
        _ kind: FavouriteKind, _ other: AnyID, of id: PersonID
    ) throws(Refusal) -> FavouriteShown {
        guard let person = people.number(of: id) else { throw .unknown(.person, id.any) }
        let entries = favourites.entries(kind, of: person)
        WorkBudget.uncharged { WorkBudget.count(entries.count / 20) }
        guard let number = number(kind, other), let entry = entries.first(where: { $0.other == number }),
            let shown = show(entry, kind, to: id)
        else { throw .unknown(.favourite, other.any) }
        return shown
    }

    fileprivate func show(_ entry: Favourites.Entry, _ kind: FavouriteKind, to id: PersonID) -> FavouriteShown? {
        let subject: FavouriteShown.Subject? =
            switch kind {
            case .people: people([Number(entry.other)], knownTo: .person(id)).first.map { .person($0) }
            case .places: catalogue.placeIndex[Number(entry.other)].map { .place($0.record) }
            case .products: catalogue.inventory[Number(entry.other)].map { .product($0.record) }
            }
        return subject.map {
            FavouriteShown(
                subject: $0, since: entry.since, count: favourites(kind, entry.other),
                position: FavouritePosition(since: entry.since, number: entry.other))
        }
    }

    func number(_ kind: FavouriteKind, _ id: AnyID) -> AnyNumber? {
        switch kind {
        case .people: people.number(of: PersonID(id))?.any
        case .places: catalogue.placeIndex.number(of: PlaceID(id))?.any
        case .products: catalogue.inventory.numbers[ProductID(id)]?.any
        }
    }
}
