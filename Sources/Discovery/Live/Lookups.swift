public import Geo
public import Model
internal import Structures

/// Where a person was last.
public struct Position: Hashable, Sendable {
    /// The newest position, stored or throttled, or the place that stands for the stored one.
    public var place: Coordinate
    /// The fix time of ``place`` at exact precision; if the person was hidden then and is shown again, that of the last
    /// confirmation.
    ///
    /// At a coarse precision it is the rounded time at which the person was last known to be near the stored position.
    public var time: Timestamp
    /// The start of the stay that a live position is part of, without a gap until ``time``; nil if it is that, or not known.
    public var since: Timestamp?
    /// In metres; nil if the device did not say.
    public var accuracy: Float?
    /// The latest time at which the person is known to have been there still; nil for none after ``time``.
    public var seenUntil: Timestamp?
    /// How exact the place is, and that of which else is told.
    public var precision = Precision.exact

    /// Within how many metres of ``place`` the stored position lies; nil if nobody can say.
    ///
    /// Of an approximate place it is the same for all, for what is told of a privacy zone is not to be known by it: there the
    /// person may be farther away. A city that somebody declares may be anywhere.
    public var reach: Double? {
        switch precision {
        case .exact: accuracy.map(Double.init)
        case .approximate: Self.reachOfPublicCell
        case .city: Self.reachOfCity
        case .hidden: nil
        }
    }

    /// From the middle of a public cell to beyond a corner by ``RememberedCell/overhang``, where cells are longest, near the
    /// corners of the cube's faces, 1,690 m; and what the receiver may be off.
    package static let reachOfPublicCell = 1900.0
    /// From the middle of the cell around which a city is looked for to beyond one of its corners, 16,540 m, to the city, 30,000 m,
    /// and the same again.
    package static let reachOfCity = 47_000.0
}

/// Answers about single entities.
extension Picture {
    /// How many people, places and products there are.
    public var counts: (people: Int, places: Int, products: Int) {
        (people.count, catalogue.placeIndex.count, catalogue.inventory.count)
    }

    /// What is stored about a person.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    func person(_ id: PersonID) throws(Refusal) -> Versioned<Person> {
        guard let number = people.number(of: id), let record = people.record(of: number) else {
            throw .unknown(.person, id.any)
        }
        return record
    }

    /// A person's newest position.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or ``Refusal/noPosition(_:)`` when there is none.
    public func position(of id: PersonID) throws(Refusal) -> Position {
        guard let number = people.number(of: id) else { throw .unknown(.person, id.any) }
        guard let position = people.position(of: number) else { throw .noPosition(id) }
        return position
    }

    /// Somebody whom a person blocks, as strangers are shown.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the block if there is none.
    public func blocked(_ other: PersonID, by id: PersonID) throws(Refusal) -> Person {
        guard let state = people.state(of: id) else { throw .unknown(.person, id.any) }
        guard let number = people.number(of: other), state.ties.blocks.contains(number),
            let record = people.record(of: number)
        else { throw .unknown(.block, other.any) }
        return record.value.shown(to: .stranger)
    }

    /// A product by its id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func product(_ id: ProductID) throws(Refusal) -> Versioned<Product> {
        guard let record = catalogue.inventory.record(of: id) else { throw .unknown(.product, id.any) }
        return record
    }

    /// A place by its id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func place(_ id: PlaceID) throws(Refusal) -> Versioned<Place> {
        guard let record = catalogue.placeIndex.record(of: id) else { throw .unknown(.place, id.any) }
        return record
    }

    /// What a store has of a product.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the stock if the store does not have the product.
    public func stock(of product: ProductID, in id: PlaceID) throws(Refusal) -> StockItem {
        guard let store = catalogue.placeIndex.number(ofStore: id) else { throw .unknown(.store, id.any) }
        guard let number = catalogue.inventory.numbers[product], let item = catalogue.inventory.item(of: store, number)
        else { throw .unknown(.stock, product.any) }
        return StockItem(store: id, product: product, price: item.price, sizes: item.sizes)
    }
}
