internal import Geo
public import Model

/// Takes somebody or something among a person's favourites, or out of them.
public struct SetFavourite: Action {
    let person: PersonID
    let kind: FavouriteKind
    let other: AnyID
    let isFavourite: Bool

    /// One of a kind, for the first.
    public init(_ person: PersonID, _ kind: FavouriteKind, _ other: AnyID, to isFavourite: Bool = true) {
        (self.person, self.kind, self.other, self.isFavourite) = (person, kind, other, isFavourite)
    }

    /// Does nothing where it is so already.
    public func carryOut(on draft: inout Draft) throws {
        let (person, number) = try draft.favourite(kind, other, of: person)
        guard draft.picture.favourites.contains(kind, number, of: person) != isFavourite else { return }
        guard isFavourite else {
            return try draft.follow(.favourites(.removed(person: person, kind, other: number)))
        }
        try draft.refuse(.favourite, after: draft.favouriteCount(kind, of: person))
        try draft.follow(.favourites(.added(person: person, kind, other: number, since: draft.received)))
    }
}

extension Draft {
    /// The numbers of a person and of what they may know of.
    fileprivate func favourite(
        _ kind: FavouriteKind, _ other: AnyID, of id: PersonID
    ) throws(Refusal) -> (person: PersonNumber, other: AnyNumber) {
        let person = try number(of: id)
        guard kind != .people || id.any != other else { throw .oneself }
        guard let number = picture.number(kind, other),
            kind != .people || !picture.people.isSeparated(person, Number(number))
        else { throw .unknown(kind.subject, other.any) }
        return (person, number)
    }

    /// How many favourites of a kind take room: at the limit, people of whom the person may not know take none.
    fileprivate func favouriteCount(_ kind: FavouriteKind, of person: PersonNumber) -> Int {
        let entries = picture.favourites.entries(kind, of: person)
        guard kind == .people, entries.count >= rules.allowance.favourites else { return entries.count }
        Effort.count(entries.count / 5)
        return entries.count { picture.people.mayKnow(person, of: PersonNumber($0.other)) }
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
