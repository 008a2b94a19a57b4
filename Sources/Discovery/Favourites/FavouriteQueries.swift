internal import Geo
public import Model
internal import Structures

/// A favourite of a person, as the person is shown it.
public struct FavouriteShown: Sendable {
    /// What it is.
    public enum Subject: Sendable {
        /// Somebody as far as the person may know them.
        case person(Person)
        case place(Versioned<Place>)
        case product(Versioned<Product>)
    }

    /// What it is.
    public var subject: Subject
    /// Since when.
    public var since: Timestamp
    /// How many people have it among their favourites; 0 for people, of whom nobody is told.
    public var count: Int
    /// Where a list goes on after it.
    public var position: FavouritePosition
}

/// A place in a list of favourites.
public struct FavouritePosition: Hashable, Sendable {
    /// Since when the last one was a favourite.
    public var since: Timestamp
    /// The number of the last one.
    public var number: AnyNumber

    /// The place after a favourite.
    public init(since: Timestamp, number: AnyNumber) {
        self.since = since
        self.number = number
    }
}

extension Live {
    /// A person's favourites of a kind, newest first, after a place in the list.
    ///
    /// People who are separated from the person by a block are as if not there, and the person is not charged for them.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    public func favourites(
        _ kind: FavouriteKind, of id: PersonID, after last: FavouritePosition?, limit: Int
    ) async throws -> [FavouriteShown] {
        let entries = try read { picture throws(Refusal) in
            guard let person = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return picture.favourites.entries(kind, of: person)
        }
        let after = last.map { Favourites.Entry(since: $0.since, other: $0.number) }
        let rest = entries.prefix { entry in after.map { entry < $0 } ?? true }
        let shown = try await Effort.unchargedTask {
            try await read(each: rest.reversed(), costing: 15, atMost: limit) { $0.show($1, kind, to: id) }
        }
        Effort.charge(15 * shown.count)
        return shown
    }
}

/// What is shown of favourites.
extension Picture {
    /// How many people have a place or product, by its number, among their favourites.
    public func favourites(_ kind: FavouriteKind, _ number: AnyNumber) -> Int {
        kind == .people ? 0 : favourites.count(kind, number)
    }

    /// A person's favourite.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the favourite also when there is nothing of that id.
    public func favourite(
        _ kind: FavouriteKind, _ other: AnyID, of id: PersonID
    ) throws(Refusal) -> FavouriteShown {
        guard let person = people.number(of: id) else { throw .unknown(.person, id.any) }
        let entries = favourites.entries(kind, of: person)
        Effort.uncharged { Effort.count(entries.count / 20) }
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
