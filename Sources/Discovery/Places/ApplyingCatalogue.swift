internal import Model
internal import Structures

/// What commands do to places, products and stock.
extension Picture {
    func put(
        _ write: Write<Place>, _ received: Timestamp, by caller: Caller, _ rules: PingRules
    ) throws(Refusal) -> (Written, [Change]) {
        var place = write.value
        let old = catalogue.directory.record(of: place.id)
        place.created = old == nil ? received : old?.value.created
        guard Self.mayWrite(old?.value ?? place, caller) && Self.mayWrite(place, caller) else {
            throw old == nil ? .makerNotOwner : .notAllowed
        }
        if let owner = place.owner, crowd.leaving[owner] != nil { throw .beingDeleted(owner) }
        // A place that is of its kind already, as a service made it, its owner may change.
        if caller != .service, place.kind != old?.value.kind, !rules.kindsOfPeople.contains(place.kind) {
            throw .kindNotAllowed(place.kind, rules.kindsOfPeople)
        }
        let revision = try Self.revision(of: old?.revision, write.condition, received)
        if old == nil, let owner = place.owner {
            try rules.allowance.refuse(.place, after: catalogue.directory.places(ownedBy: owner).count, of: caller)
        }
        if let old, old.value == place { return (Written(isNew: false, revision: old.revision), []) }
        let record = Versioned(number: old?.number ?? catalogue.directory.nextNumber, revision: revision, value: place)
        return (Written(isNew: old == nil, revision: revision), [.place(record)])
    }

    func put(_ write: Write<Product>, _ received: Timestamp) throws(Refusal) -> (Written, [Change]) {
        let product = write.value
        let old = catalogue.shelves.record(of: product.id)
        let revision = try Self.revision(of: old?.revision, write.condition, received)
        if let old, old.value == product { return (Written(isNew: false, revision: old.revision), []) }
        let record = Versioned(number: old?.number ?? catalogue.shelves.nextNumber, revision: revision, value: product)
        let made = old.flatMap { catalogue.shelves[$0.number]?.made } ?? received
        return (Written(isNew: old == nil, revision: revision), [.product(record, made: made)])
    }

    func put(_ item: StockItem, _ received: Timestamp) throws(Refusal) -> (Written, [Change]) {
        guard let store = catalogue.directory.number(ofStore: item.store) else { throw .unknown(.store, item.store) }
        guard let product = catalogue.shelves.numbers[item.product] else { throw .unknown(.product, item.product) }
        let old = catalogue.shelves.item(of: store, product)
        let sizes = item.sizes.sorted { $0.size < $1.size }
        let written = Written(isNew: old == nil, revision: received.milliseconds)
        if let old, old.price == item.price, old.sizes == sizes { return (written, []) }
        return (written, [.stock(store: store, product: product, price: item.price, sizes: sizes)])
    }

    func unstocking(
        _ productID: EntityID, of storeID: EntityID, _ caller: Caller
    ) throws(Refusal) -> Change {
        guard caller == .service else { throw .notAllowed }
        guard let store = catalogue.directory.number(ofStore: storeID) else { throw .unknown(.store, storeID) }
        guard let product = catalogue.shelves.numbers[productID], catalogue.shelves.item(of: store, product) != nil
        else {
            throw .unknown(.stock, productID)
        }
        return .stockDeleted(store: store, product: product)
    }

    static func mayWrite(_ place: Place, _ caller: Caller) -> Bool {
        switch caller {
        case .service: true
        case .person(let id): place.owner == id
        }
    }
}
