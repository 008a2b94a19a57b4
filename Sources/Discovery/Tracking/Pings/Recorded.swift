/// The result of recording positions.
public struct Recorded: Sendable {
    /// A verdict per position, in the given order.
    public private(set) var verdicts: [Verdict]
    /// The indices of positions not judged yet, in order of time.
    private(set) var left: [Int] = []
    /// The fences not judged yet.
    var pendingFences: PendingFenceChecks

    init(_ verdicts: [Verdict], pendingFences: PendingFenceChecks) {
        (self.verdicts, self.pendingFences) = (verdicts, pendingFences)
    }

    /// The combined result of a batch's parts, of positions ordered by these indices.
    init(of order: [Int], _ parts: [Recorded]) {
        let judged = parts.flatMap(\.verdicts)
        pendingFences = PendingFenceChecks(people: Set(parts.flatMap(\.pendingFences.people)).sorted())
        verdicts = Array(repeating: .unknownPerson, count: order.count)
        for (index, verdict) in zip(order, judged) { verdicts[index] = verdict }
        left = Array(order.dropFirst(judged.count))
    }

    /// Adds the results of the positions at these indices.
    mutating func add(_ others: Recorded, of indices: [Int]) {
        for (index, verdict) in zip(indices, others.verdicts) { verdicts[index] = verdict }
        left = others.left.map { indices[$0] }
        pendingFences.people = Set(pendingFences.people + others.pendingFences.people).sorted()
    }

    /// The verdicts of judged positions.
    var judged: [Verdict] {
        let left = Set(left)
        return left.isEmpty ? verdicts : verdicts.indices.filter { !left.contains($0) }.map { verdicts[$0] }
    }
}
