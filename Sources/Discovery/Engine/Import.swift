internal import Model

/// An import row, as the write that it makes.
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

    /// The weight of the row's write.
    public var weight: Int { action.weight }

    /// - Returns: the result of the write.
    public func apply(to draft: inout Draft) throws -> Written { try action.apply(to: &draft) }
}
