public import Model

/// Something that is to change the world.
///
/// Carried out on the same picture it has the same effect wherever and whenever that is: clocks and randomness enter only with
/// what it holds and with the time of the call. That makes a sequence of calls a log that another machine can follow.
public protocol Action<Outcome>: Codable, Sendable {
    /// What whoever wants it is told.
    associatedtype Outcome: Sendable

    /// How much work it is at the writer, at least 1: that of so many pings.
    var weight: Int { get }
    /// Whether it adds to the log of pings, which takes only so many.
    var fillsLog: Bool { get }
    /// The same, with a weight that may depend on what is known now; asked only where a log is followed.
    func weighed(by picture: borrowing Picture) -> Self
    /// What a person is charged for it, in steps of `Effort`: it follows from what the person sends, has and knows.
    func price(by picture: borrowing Picture) -> Int
    /// The same in parts, each no more than a turn of the writer if it can be cut.
    func cut(receivedAt received: Timestamp) -> Cut<Self>
    /// Does it.
    ///
    /// - Returns: what the caller is told.
    /// - Throws: ``Refusal``, before anything was changed; whatever the storage throws when it could not be read or written.
    func carryOut(on draft: inout Draft) throws -> Outcome
    /// Goes on with what is done in steps, after the first of them, by further ones.
    func finish(_ first: Outcome, _ step: (Self) async throws -> Outcome) async throws -> Outcome
}

extension Action {
    /// What a tie between two people weighs.
    public var weight: Int { 2 }
    /// It does not.
    public var fillsLog: Bool { false }
    /// The same.
    public func weighed(by picture: borrowing Picture) -> Self { self }
    /// That of its weight.
    public func price(by picture: borrowing Picture) -> Int { weight * Turn.price }
    /// The whole.
    public func cut(receivedAt received: Timestamp) -> Cut<Self> { Cut(self) }
    /// It is done in one step.
    public func finish(_ first: Outcome, _ step: (Self) async throws -> Outcome) async throws -> Outcome { first }
}

/// An action in parts that follow each other, each of which is durable by itself; others have their turns between two.
public struct Cut<Whole: Action>: Sendable {
    /// In order; at least one.
    let parts: [Whole]
    /// What the whole did, from what its parts did.
    let outcome: @Sendable ([Whole.Outcome]) -> Whole.Outcome

    /// One part.
    init(_ whole: Whole) { self.init([whole]) { $0[0] } }

    init(_ parts: [Whole], outcome: @escaping @Sendable ([Whole.Outcome]) -> Whole.Outcome) {
        self.parts = parts
        self.outcome = outcome
    }
}

/// Several things to be done one after the other, each for itself: one that is refused leaves the others alone.
public struct Each<Item: Action>: Action {
    let items: [Item]

    /// These things, in this order.
    public init(_ items: [Item]) { self.items = items }

    /// That of all items.
    public var weight: Int { max(1, items.reduce(0) { $0 + $1.weight }) }

    /// Stretches of items that are no more than a turn of the writer.
    public func cut(receivedAt received: Timestamp) -> Cut<Each> {
        Cut(items.stretches(\.weight).map(Each.init)) { $0.flatMap { $0 } }
    }

    /// Does all that is not refused.
    ///
    /// - Returns: what became of each item.
    public func carryOut(on draft: inout Draft) throws -> [Result<Item.Outcome, Refusal>] {
        var results: [Result<Item.Outcome, Refusal>] = []
        for item in items {
            do {
                results.append(.success(try item.carryOut(on: &draft)))
            } catch let refusal as Refusal { results.append(.failure(refusal)) }
        }
        return results
    }
}

extension Array {
    /// Consecutive elements that together weigh no more than a turn of the writer, or a single one that does; one stretch at
    /// least.
    func stretches(_ weight: (Element) -> Int) -> [[Element]] {
        var stretches: [[Element]] = [[]]
        var load = 0
        for element in self {
            let weight = weight(element)
            if load > 0, load + weight > Live.turn {
                stretches.append([])
                load = 0
            }
            stretches[stretches.count - 1].append(element)
            load += weight
        }
        return stretches
    }
}
