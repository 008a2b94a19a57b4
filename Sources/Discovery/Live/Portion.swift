internal import Geo
internal import Model
internal import Storage

/// Changes that are made in one turn of the writer: as many as fit.
struct Portion {
    private(set) var changes: [Change] = []
    private(set) var isFull = false
    /// In steps of ``Effort``; half a turn, for who makes the changes has other things to do.
    private var room = Effort.turn / 2

    /// How many decisions are taken back together, and what each costs: a row, and a look whether it was a match.
    static let (decisionsAtOnce, stepsOfDecision) = (200, 60)
    /// What it costs about to delete a fence, or to write it again but for names and corners, in steps of ``Effort``.
    static let stepsOfFence = 2_500

    /// Takes changes that belong together, if there is room or nothing else was taken.
    mutating func take(_ some: [Change]) {
        let cost = some.reduce(0) { sum, change in
            switch change {
            case .catalogue(.place(let record)): sum + (record.value.area == nil ? 2_500 : 5_000)
            case .fences(.put(let record, _, _)): sum + Self.stepsOfFence + record.value.stepsOfWriting
            case .fences(.deleted): sum + Self.stepsOfFence
            default: sum + 400
            }
        }
        take(some, costing: cost)
    }

    /// Takes changes of a cost in steps of ``Effort``, if there is room or nothing else was taken.
    mutating func take(_ some: [Change], costing cost: Int) {
        isFull = isFull || cost > room && !changes.isEmpty
        guard !isFull else { return }
        changes += some
        room -= cost
    }

    /// Takes what is made of each item, the last first: what is last is taken out of a list without moving the rest.
    mutating func take<Item>(_ items: some BidirectionalCollection<Item>, _ change: (Item) -> [Change]) {
        for item in items.reversed() {
            if isFull { return }
            take(change(item))
        }
    }
}
