/// What became of positions.
public struct Recorded: Sendable {
    /// For each of them, in the order they were given.
    public private(set) var verdicts: [Verdict]
    /// The indices of those that were not judged yet, in the order of time.
    private(set) var left: [Int] = []
    /// The fences of others that were not judged yet.
    var unjudged: [FencedPair]

    init(_ verdicts: [Verdict], unjudged: [FencedPair] = []) { (self.verdicts, self.unjudged) = (verdicts, unjudged) }

    /// Of positions in an order of their indices, the first of which were judged in parts.
    init(of order: [Int], _ parts: [Recorded]) {
        let judged = parts.flatMap(\.verdicts)
        unjudged = parts.flatMap(\.unjudged)
        verdicts = Array(repeating: .unknownPerson, count: order.count)
        for (index, verdict) in zip(order, judged) { verdicts[index] = verdict }
        left = Array(order.dropFirst(judged.count))
    }

    /// Adds what became of those of some indices.
    mutating func add(_ others: Recorded, of indices: [Int]) {
        for (index, verdict) in zip(indices, others.verdicts) { verdicts[index] = verdict }
        left = others.left.map { indices[$0] }
        unjudged += others.unjudged
    }

    /// The verdicts on those that were judged.
    var judged: [Verdict] {
        let left = Set(left)
        return left.isEmpty ? verdicts : verdicts.indices.filter { !left.contains($0) }.map { verdicts[$0] }
    }
}
