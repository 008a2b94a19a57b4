internal import Geo
public import Hours
public import Model

/// The numbers of places with a position by kind, folded, which are the collections of places for map programs.
struct PlacedKinds: Sendable {
    /// The places without an owner, which anyone may read in bulk, and the places of people.
    private(set) var ownerless: [String: Int] = [:]
    private(set) var owned: [String: Int] = [:]

    /// Updates the numbers for a place; nil stands for a missing place.
    mutating func change(from old: PlaceIndex.Entry?, to new: PlaceIndex.Entry?, _ words: Vocabulary) {
        if let old { add(-1, old, words) }
        if let new { add(1, new, words) }
    }

    private mutating func add(_ difference: Int, _ entry: PlaceIndex.Entry, _ words: Vocabulary) {
        let place = entry.record.value
        guard place.coordinate != nil else { return }
        let kind = words.word(of: entry.kind)
        let path: WritableKeyPath<PlacedKinds, [String: Int]> = place.owner == nil ? \.ownerless : \.owned
        let count = self[keyPath: path][kind, default: 0] + difference
        self[keyPath: path][kind] = count == 0 ? nil : count
    }
}

extension Engine {
    /// Returns the kinds, folded and sorted, of the places with a position that a caller may read in bulk: places
    /// without an owner and the caller's own, or all for a service.
    public func kindsToRead(by caller: Caller) async throws -> [String] {
        let (ownerless, owned) = read { state in (state.catalogue.placeIndex.placed.ownerless, state.owned(by: caller))
        }
        guard let owned else {
            return Set(ownerless.keys).union(read { $0.catalogue.placeIndex.placed.owned.keys }).sorted()
        }
        let own = try await read(each: owned, costing: 2) { state, number in state.kind(ofPlaced: number) }
        return Set(ownerless.keys).union(own).sorted()
    }

    /// Returns the number of places of a kind with a position that a caller may read in bulk.
    public func countToRead(ofKind kind: String, by caller: Caller) async throws -> Int {
        let kind = PlainText.of(kind)
        let (placed, owned) = read { state in (state.catalogue.placeIndex.placed, state.owned(by: caller)) }
        let ownerless = placed.ownerless[kind, default: 0]
        guard let owned else { return ownerless + placed.owned[kind, default: 0] }
        return try await ownerless
            + read(each: owned, costing: 2) { state, number in state.kind(ofPlaced: number) == kind ? number : nil }
            .count
    }

    /// Returns a place that a caller may read in bulk.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also for a place that another person owns, or one of another kind.
    public func placeToRead(
        _ id: PlaceID, ofKind kind: String, by caller: Caller, _ opening: OpeningQuery
    ) throws(Refusal) -> PlaceListed {
        try read { state throws(Refusal) in
            guard let number = state.catalogue.placeIndex.number(of: id),
                let place = state.listed(number, opening), state.kind(ofPlaced: number) == PlainText.of(kind),
                place.place.value.owner.map({ caller.mayAct(for: $0) }) ?? true
            else { throw .unknown(.place, id.any) }
            return place
        }
    }
}

extension LiveState {
    /// The places that a person owns; nil for a service, which owns none.
    fileprivate func owned(by caller: Caller) -> [PlaceNumber]? {
        guard case .person(let person) = caller else { return nil }
        return catalogue.placeIndex.places(ownedBy: person).numbers
    }

    /// The folded kind of a place; nil for one without a position, or a deleted one.
    fileprivate func kind(ofPlaced number: PlaceNumber) -> String? {
        guard let entry = catalogue.placeIndex[number], entry.record.value.coordinate != nil else { return nil }
        return catalogue.placeIndex.words.word(of: entry.kind)
    }
}
