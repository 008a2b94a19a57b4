internal import Geo
internal import Model
internal import Storage

/// Changes for one writer turn, as many as fit.
struct Portion {
    private(set) var changes: [Change] = []
    private(set) var isFull = false
    /// In work units (``WorkBudget``): half a turn, because the caller's own work needs the rest.
    private var room = WorkBudget.stepsPerTurn / 2

    /// Number of decisions withdrawn together, and the work units of each: a row, and a check for a match.
    static let (decisionsAtOnce, stepsOfDecision) = (200, 60)
    /// Approximate work units of deleting a fence, or of rewriting it without names and corners.
    static let stepsOfFence = 2_500

    /// Adds changes that belong together, if there is room or nothing was added yet.
    mutating func take(_ some: [Change]) {
        let cost = some.reduce(0) { sum, change in
            switch change {
            case .catalogue(.place(let record)): sum + (record.value.area == nil ? 2_500 : 5_000)
            case .fences(.put(let record, _, _)): sum + Self.stepsOfFence + record.value.stepsOfWriting
            case .fences(.deleted): sum + Self.stepsOfFence
            case .fences(.left): sum + 250
            default: sum + 400
            }
        }
        take(some, costing: cost)
    }

    /// Adds changes of a cost in work units (``WorkBudget``), if there is room or nothing was added yet.
    mutating func take(_ some: [Change], costing cost: Int) {
        isFull = isFull || cost > room && !changes.isEmpty
        guard !isFull else { return }
        changes += some
        room -= cost
    }

    /// Adds the changes of each item, from last to first: removing the last element of a list moves no others.
    mutating func take<Item>(_ items: some BidirectionalCollection<Item>, _ change: (Item) -> [Change]) {
        for item in items.reversed() {
            if isFull { return }
            take(change(item))
        }
    }
}
