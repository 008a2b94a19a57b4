public import Model

/// A command that changes the state.
///
/// It is deterministic: applied to equal states it has equal effects on any node at any time. Clocks and randomness
/// enter only as fields of the action and as the time of the call. So a sequence of calls can be replicated as a log.
public protocol Action<Outcome>: Codable, Sendable {
    /// The result returned to the caller.
    associatedtype Outcome: Sendable

    /// Cost at the writer, in pings; at least 1.
    var weight: Int { get }
    /// Whether it appends to the ping log, whose length is limited.
    var fillsLog: Bool { get }
    /// Returns the action with a weight that may depend on the current state; called only if a log is replicated.
    func weighed(by state: borrowing LiveState) -> Self
    /// The person's charge in work units (`WorkBudget`); it depends only on what the person sends, owns and may see.
    func price(by state: borrowing LiveState) -> Int
    /// Splits the action into parts of at most one writer turn each, where it can be split.
    func cut(receivedAt received: Timestamp) -> Chunks<Self>
    /// Applies the action to the draft.
    ///
    /// - Returns: the result for the caller.
    /// - Throws: ``Refusal``, before anything was changed; errors of the storage when it could not be read or written.
    func apply(to draft: inout Draft) throws -> Outcome
    /// Runs the remaining steps of an action that takes several, after its first step.
    func finish(_ first: Outcome, _ step: (Self) async throws -> Outcome) async throws -> Outcome
}

extension Action {
    /// 2 by default: most actions cost as much as a change between two people.
    public var weight: Int { 2 }
    /// False: most actions store no pings.
    public var fillsLog: Bool { false }
    /// Returns the action unchanged.
    public func weighed(by state: borrowing LiveState) -> Self { self }
    /// The charge of its weight.
    public func price(by state: borrowing LiveState) -> Int { weight * WorkItem.price }
    /// Returns the whole action as a single part.
    public func cut(receivedAt received: Timestamp) -> Chunks<Self> { Chunks(self) }
    /// Returns the first outcome: most actions take one step.
    public func finish(_ first: Outcome, _ step: (Self) async throws -> Outcome) async throws -> Outcome { first }
}

/// An action split into consecutive parts, each durable by itself; other tenants may run between two parts.
public struct Chunks<Whole: Action>: Sendable {
    /// In order; never empty.
    let parts: [Whole]
    /// Combines the outcomes of the parts into the outcome of the whole.
    let outcome: @Sendable ([Whole.Outcome]) -> Whole.Outcome

    /// A single part.
    init(_ whole: Whole) { self.init([whole]) { $0[0] } }

    init(_ parts: [Whole], outcome: @escaping @Sendable ([Whole.Outcome]) -> Whole.Outcome) {
        self.parts = parts
        self.outcome = outcome
    }
}

/// A batch of independent actions, applied in order; a refused action does not affect the others.
public struct Batch<Item: Action>: Action {
    let items: [Item]

    /// A batch of actions in this order.
    public init(_ items: [Item]) { self.items = items }

    /// The sum of the items' weights, at least 1.
    public var weight: Int { max(1, items.reduce(0) { $0 + $1.weight }) }

    /// Splits the batch into chunks of at most one writer turn each.
    public func cut(receivedAt received: Timestamp) -> Chunks<Batch> {
        Chunks(items.stretches(\.weight).map(Batch.init)) { $0.flatMap { $0 } }
    }

    /// Applies all actions that are not refused.
    ///
    /// - Returns: the outcome or refusal of each item.
    public func apply(to draft: inout Draft) throws -> [Result<Item.Outcome, Refusal>] {
        var results: [Result<Item.Outcome, Refusal>] = []
        for item in items {
            do {
                results.append(.success(try item.apply(to: &draft)))
            } catch let refusal as Refusal { results.append(.failure(refusal)) }
        }
        return results
    }
}

extension Array {
    /// Splits the array into consecutive chunks of at most one writer turn, or of one heavier element; returns at least
    /// one.
    func stretches(_ weight: (Element) -> Int) -> [[Element]] {
        var stretches: [[Element]] = [[]]
        var load = 0
        for element in self {
            let weight = weight(element)
            if load > 0, load + weight > Engine.turnWeight {
                stretches.append([])
                load = 0
            }
            stretches[stretches.count - 1].append(element)
            load += weight
        }
        return stretches
    }
}
