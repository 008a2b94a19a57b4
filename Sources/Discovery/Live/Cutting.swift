internal import Model

/// A command that is more than the writer does in a turn, in parts that follow each other.
///
/// Others have their turns between two parts. Each part is durable by itself.
struct CutCommand {
    /// In order; at least one.
    let parts: [Command]
    private let action: Action
    /// Which pings of a batch each part has.
    private var indices: [[Int]] = []

    init(_ command: Command) {
        action = command.action
        let actions: [Action]
        switch command.action {
        case .record(let reports) where reports.count > Action.turn:
            // Judged in the order of time across the whole, as a batch is that needs no cutting.
            let order = reports.inOrderOfTime(receivedAt: command.received)
            indices = Self.stretches(of: order) { _ in 1 }
            actions = indices.map { .record($0.map { reports[$0] }) }
        case .erase(let id, let keys): actions = Self.stretches(of: keys) { _ in 1 }.map { .erase(id, $0) }
        case .put(let writes): actions = Self.stretches(of: writes, \.value.weight).map { .put($0) }
        case .putPlaces(let writes): actions = Self.stretches(of: writes, \.value.weight).map { .putPlaces($0) }
        case .putProducts(let writes): actions = Self.stretches(of: writes, \.value.weight).map { .putProducts($0) }
        case .putStock(let items): actions = Self.stretches(of: items, \.weight).map { .putStock($0) }
        case .makeFriends(let pairs): actions = Self.stretches(of: pairs) { _ in Action.tie }.map { .makeFriends($0) }
        case .keepSightings(let stays): actions = Self.stretches(of: stays) { _ in 1 }.map { .keepSightings($0) }
        default: actions = [command.action]
        }
        parts = actions.map { action in
            var part = command
            part.action = action
            return part
        }
    }

    /// Consecutive items that together weigh no more than a turn, or a single one that does.
    private static func stretches<Item>(of items: [Item], _ weight: (Item) -> Int) -> [[Item]] {
        var stretches: [[Item]] = [[]]
        var load = 0
        for item in items {
            let weight = weight(item)
            if load > 0, load + weight > Action.turn {
                stretches.append([])
                load = 0
            }
            stretches[stretches.count - 1].append(item)
            load += weight
        }
        return stretches
    }

    /// What the whole did, from what its parts did.
    func outcome(of outcomes: [Outcome]) -> Outcome {
        guard outcomes.count > 1 else { return outcomes.first ?? .done }
        switch outcomes[0] {
        case .recorded: return recorded(outcomes)
        case .written:
            return .written(
                outcomes.reduce(into: []) { all, outcome in if case .written(let some) = outcome { all += some } })
        case .erased:
            return outcomes.reduce(.erased(0)) { sum, outcome in
                guard case .erased(let count, let keys) = sum, case .erased(let some, let left) = outcome else {
                    return sum
                }
                return .erased(count + some, left: keys + left)
            }
        default: return outcomes[outcomes.count - 1]
        }
    }

    /// Of each person the hint after the last part that had a ping of theirs, in the order of the last pings of the whole.
    private func recorded(_ outcomes: [Outcome]) -> Outcome {
        guard case .record(let reports) = action else { return .done }
        var verdicts = [Verdict](repeating: .unknownPerson, count: reports.count)
        var latest: [EntityID: Hint] = [:]
        for (part, outcome) in zip(indices, outcomes) {
            guard case .recorded(let some, let hints) = outcome else { continue }
            for (index, verdict) in zip(part, some) {
                verdicts[index] = verdict
                latest[reports[index].person] = nil
            }
            for hint in hints { latest[hint.person] = hint }
        }
        let hints = reports.reversed().compactMap { latest.removeValue(forKey: $0.person) }
        return .recorded(verdicts, hints: hints.reversed())
    }
}

extension [PingReport] {
    /// The indices in the order of fix times; of those at the same instant, in their own.
    func inOrderOfTime(receivedAt received: Timestamp) -> [Int] {
        indices.sorted { a, b in (self[a].time ?? received, a) < (self[b].time ?? received, b) }
    }
}

extension Action {
    /// How much is done in a turn of the writer, in ``weight``: that many pings, whatever is said in them, cost it some
    /// 2 ms on a slow machine.
    static let turn = 32
    /// What a tie between two people weighs.
    fileprivate static let tie = 2

    /// How much work it is, at least 1: that of so many pings.
    var weight: Int {
        switch self {
        case .record(let reports): max(1, reports.count)
        case .erase(_, let keys): max(1, keys.count)
        case .put(let writes): writes.reduce(1) { $0 + $1.value.weight }
        case .putPlaces(let writes): writes.reduce(1) { $0 + $1.value.weight }
        case .putProducts(let writes): writes.reduce(1) { $0 + $1.value.weight }
        case .putStock(let items): items.reduce(1) { $0 + $1.weight }
        case .makeFriends(let pairs): max(1, pairs.count * Self.tie)
        case .keepSightings(let stays): max(1, stays.count)
        case .befriend, .unfriend, .block, .unblock, .decide, .undecide, .label, .addDevice, .rotateDevice,
            .removeDevice, .deleteStock, .comment, .editComment, .deleteComment, .mark, .unmark:
            Self.tie
        case .forgetStay, .group, .levelCells, .deletePerson, .deletePlace, .deleteProduct: Self.turn
        }
    }

    /// The same with nothing that must hold before, to go on with what was begun when it did.
    var unconditional: Action {
        switch self {
        case .deletePerson(let id, _): .deletePerson(id, .always)
        case .deletePlace(let id, _): .deletePlace(id, .always)
        case .deleteProduct(let id, _): .deleteProduct(id, .always)
        default: self
        }
    }
}

// What a row with its indexes costs, and so many bytes of text, whose words are in an index of their own.
private let (document, textOfPing) = (4, 400)

extension Person {
    fileprivate var weight: Int { document + (attributes.size + [name, surname, about].size) / textOfPing }
}

extension Place {
    fileprivate var weight: Int {
        document + (attributes.size + ([name, address, category, hours] + tags).size) / textOfPing
    }
}

extension Product {
    fileprivate var weight: Int {
        document + ([brand, name, category, description] + colors + materials + sizes.map(\.text)).size / textOfPing
    }
}

extension StockItem {
    fileprivate var weight: Int { 2 + sizes.count / 16 }
}

extension [String?] {
    /// In bytes.
    fileprivate var size: Int { reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
}

extension [String: AttributeValue] {
    /// In bytes, about.
    fileprivate var size: Int {
        reduce(0) { sum, attribute in
            let value =
                switch attribute.value {
                case .text(let text): text.utf8.count
                case .list(let texts): texts.reduce(0) { $0 + $1.utf8.count }
                case .number, .flag: 8
                }
            return sum + attribute.key.utf8.count + value
        }
    }
}
