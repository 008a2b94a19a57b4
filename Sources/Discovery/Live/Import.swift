internal import Model

/// What a row of a file writes.
public enum Import: Action {
    case person(PutPerson), friends(MakeFriends), place(PutPlace), product(PutProduct), stock(PutStockItem)

    private var action: any Action<Written> {
        switch self {
        case .person(let action): action
        case .friends(let action): action
        case .place(let action): action
        case .product(let action): action
        case .stock(let action): action
        }
    }

    /// That of what is written.
    public var weight: Int { action.weight }

    /// - Returns: what became of it.
    public func carryOut(on draft: inout Draft) throws -> Written { try action.carryOut(on: &draft) }
}
