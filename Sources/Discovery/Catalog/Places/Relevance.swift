internal import Algorithms
internal import Model

/// The ranks of the documents that a word search found: 2 for a name with all words exactly as typed, 1 for a name with
/// forms of them, else 0.
struct Relevance<Thing>: Sendable {
    /// The documents of each rank and of higher ranks, in order.
    private let lists: [[Number<Thing>]]
    private let named, exact: NumberSet<Thing>

    init(_ matches: WordMatches<Thing>) {
        lists = [matches.numbers, matches.named, matches.exact]
        (named, exact) = (NumberSet(matches.named), NumberSet(matches.exact))
    }

    func rank(of number: Number<Thing>) -> Int32 { exact.contains(number) ? 2 : named.contains(number) ? 1 : 0 }

    /// Calls `body` with the documents after one, by descending rank and number, until it returns false; documents of
    /// high rank are visited again among the others.
    func visit(after last: (rank: Int32, number: Number<Thing>)?, _ body: (Int32, Number<Thing>) -> Bool) {
        var end = last?.number
        for rank in (0...min(last?.rank ?? 2, 2)).reversed() {
            let list = lists[Int(rank)]
            let count = end.map { end in list.partitioningIndex { $0 >= end } } ?? list.count
            for number in list[..<count].reversed() where !body(rank, number) { return }
            end = nil
        }
    }
}
