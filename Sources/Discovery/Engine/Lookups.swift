public import Geo
public import Model
internal import Structures

/// A person's last known position.
public struct Position: Hashable, Sendable {
    /// The newest position, stored or throttled, or the place that stands for the stored one.
    public var place: Coordinate
    /// The fix time of ``place`` at exact precision, or the last confirmation if the person was hidden at the fix.
    ///
    /// At a coarse precision it is the rounded time at which the person was last known to be near the stored position.
    public var time: Timestamp
    /// The start of the stay of a live position, without a gap until ``time``; nil if equal to ``time`` or not known.
    public var since: Timestamp?
    /// In meters; nil if the device did not report it.
    public var accuracy: Float?
    /// The latest time at which the person is known to have still been there; nil for none after ``time``.
    public var seenUntil: Timestamp?
    /// The precision of the place and of the rest that is shown.
    public var precision = Precision.exact

    /// Radius in meters around ``place`` that contains the stored position; nil if unknown.
    ///
    /// For an approximate place it is constant, so that it does not reveal a privacy zone, where the person may be
    /// farther away. A declared city may be anywhere.
    public var reach: Double? {
        switch precision {
        case .exact: accuracy.map(Double.init)
        case .approximate: Self.reachOfPublicCell
        case .city: Self.reachOfCity
        case .hidden: nil
        }
    }

    /// Center of a public cell to beyond a corner by ``RememberedCell/overhang``, 1,690 m in the longest cells near the
    /// corners of the cube's faces, and the receiver's error.
    package static let reachOfPublicCell = 1900.0
    /// Center of the cell around which a city is looked up to beyond a corner, 16,540 m, to the city, 30,000 m, and
    /// the receiver's error.
    package static let reachOfCity = 47_000.0
}

/// Lookups of single entities.
extension LiveState {
    /// Number of people, places and products.
    public var counts: (people: Int, places: Int, products: Int) {
        (people.count, catalogue.placeIndex.count, catalogue.inventory.count)
    }

    /// Returns the stored document of a person.
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

    /// Returns a blocked person as shown to strangers.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the block if there is none.
    public func blocked(_ other: PersonID, by id: PersonID) throws(Refusal) -> Person {
        guard let state = people.state(of: id) else { throw .unknown(.person, id.any) }
        guard let number = people.number(of: other), state.ties.blocks.contains(number),
            let record = people.record(of: number)
        else { throw .unknown(.block, other.any) }
        return record.value.shown(to: .stranger)
    }

    /// Returns a product by its ID.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func product(_ id: ProductID) throws(Refusal) -> Versioned<Product> {
        guard let record = catalogue.inventory.record(of: id) else { throw .unknown(.product, id.any) }
        return record
    }

    /// Returns a place by its ID.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func place(_ id: PlaceID) throws(Refusal) -> Versioned<Place> {
        guard let record = catalogue.placeIndex.record(of: id) else { throw .unknown(.place, id.any) }
        return record
    }

    /// Returns a store's stock of a product.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the stock if the store does not have the product.
    public func stock(of product: ProductID, in id: PlaceID) throws(Refusal) -> StockItem {
        guard let store = catalogue.placeIndex.number(ofStore: id) else { throw .unknown(.store, id.any) }
        guard let number = catalogue.inventory.numbers[product], let item = catalogue.inventory.item(of: store, number)
        else { throw .unknown(.stock, product.any) }
        return StockItem(store: id, product: product, price: item.price, sizes: item.sizes)
    }
}
