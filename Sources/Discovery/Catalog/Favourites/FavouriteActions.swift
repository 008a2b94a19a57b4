internal import Geo
public import Model

/// Adds a person, place or product to a person's favorites, or removes it.
public struct SetFavourite: Action {
    let person: PersonID
    let kind: FavouriteKind
    let other: AnyID
    let isFavourite: Bool

    /// The favorite of a kind, and the person who has it.
    public init(_ person: PersonID, _ kind: FavouriteKind, _ other: AnyID, to isFavourite: Bool = true) {
        (self.person, self.kind, self.other, self.isFavourite) = (person, kind, other, isFavourite)
    }

    /// Does nothing if the favorite is set or unset already.
    public func apply(to draft: inout Draft) throws {
        let (person, number) = try draft.favourite(kind, other, of: person)
        guard draft.state.favourites.contains(kind, number, of: person) != isFavourite else { return }
        guard isFavourite else {
            return try draft.write(.favourites(.removed(person: person, kind, other: number)))
        }
        try draft.refuse(.favourite, after: draft.favouriteCount(kind, of: person))
        try draft.write(.favourites(.added(person: person, kind, other: number, since: draft.received)))
    }
}

extension Draft {
    /// The numbers of a person and of a favorite that is visible to them.
    fileprivate func favourite(
        _ kind: FavouriteKind, _ other: AnyID, of id: PersonID
    ) throws(Refusal) -> (person: PersonNumber, other: AnyNumber) {
        let person = try number(of: id)
        guard kind != .people || id.any != other else { throw .oneself }
        guard let number = state.number(kind, other),
            kind != .people || !state.people.isSeparated(person, Number(number))
        else { throw .unknown(kind.subject, other.any) }
        return (person, number)
    }

    /// The number of favorites that count toward the limit; at the limit, without people hidden from the person.
    fileprivate func favouriteCount(_ kind: FavouriteKind, of person: PersonNumber) -> Int {
        let entries = state.favourites.entries(kind, of: person)
        guard kind == .people, entries.count >= rules.allowance.favourites else { return entries.count }
        WorkBudget.count(entries.count / 5)
        return entries.count { state.people.mayKnow(person, of: PersonNumber($0.other)) }
    }
}

extension FavouriteKind {
    fileprivate var subject: Refusal.Kind {
        switch self {
        case .people: .person
        case .places: .place
        case .products: .product
        }
    }
}
