internal import Geo

/// A search that runs in parts, between which the state may change.
package protocol SearchInParts: Sendable {
    associatedtype Failure: Error = Never

    /// Continues the search for about `most` work units (``WorkBudget``).
    ///
    /// - Returns: whether this was the last part.
    mutating func look(at state: borrowing LiveState, steps most: Int) throws(Failure) -> Bool

    /// The trace of the search so far.
    var course: QueryTrace { get }
}

extension SearchInParts {
    /// Continues the search for one part of ``WorkBudget/stepsPerChunk`` work units.
    package mutating func look(at state: borrowing LiveState) throws(Failure) -> Bool {
        try look(at: state, steps: WorkBudget.stepsPerChunk)
    }

    /// Returns the search after all of its parts in one state.
    package func whole(in state: borrowing LiveState) throws(Failure) -> Self {
        var search = self
        while try !search.look(at: state) {}
        return search
    }
}

extension Engine {
    /// Returns the search after all of its parts, each in the current state.
    package func readInParts<Search: SearchInParts>(_ search: Search) async throws -> Search {
        var search = search
        return try await readInParts { state in try search.look(at: state) ? search : nil }
    }

    /// Reads the current state repeatedly until `body` returns a result.
    ///
    /// A commit that publishes waits for one part, not for the whole. All parts after the first run on ``BackgroundExecutor``.
    ///
    /// - Returns: the first result of `body` that is not nil.
    /// - Throws: `CancellationError` after the part during which the task was canceled, unless it was the last.
    public func readInParts<Result>(_ body: (borrowing LiveState) throws -> Result?) async throws -> Result {
        if let result = try read(body) { return result }
        return try await BackgroundExecutor.run {
            while true {
                try Task.checkCancellation()
                if let result = try read(body) { return result }
                await Task.yield()
            }
        }
    }

    /// Visits each item, in reads of at most half the work limit of a read.
    ///
    /// - Parameters:
    ///   - items: taken from the state before; `body` must skip those deleted in the meantime.
    ///   - steps: the work units of visiting an item; see `WorkBudget`.
    ///   - limit: the maximum number of results.
    ///   - body: returns the result for an item, or nil.
    /// - Returns: the results, in the order of the items.
    /// - Throws: as ``readInParts(_:)``.
    func read<Items: Collection, Found>(
        each items: Items, costing steps: Int, atMost limit: Int = .max,
        _ body: (borrowing LiveState, Items.Element) throws -> Found?
    ) async throws -> [Found] {
        var found: [Found] = []
        var rest = items[...]
        if rest.isEmpty || limit <= 0 { return found }
        return try await readInParts { state in
            let part = rest.prefix(max(1, WorkBudget.stepsPerRead / 2 / steps))
            WorkBudget.count(part.count * steps)
            rest = rest[part.endIndex...]
            for item in part {
                if let one = try body(state, item) { found.append(one) }
                if found.count == limit { return found }
            }
            return rest.isEmpty ? found : nil
        }
    }
}
