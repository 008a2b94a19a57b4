internal import Geo

/// A search whose answer is looked for in parts, between which the picture may change.
package protocol SearchInParts: Sendable {
    associatedtype Failure: Error = Never

    /// Looks on, for about so many steps (``Effort``).
    ///
    /// - Returns: whether this was the last part.
    mutating func look(at picture: borrowing Picture, steps most: Int) throws(Failure) -> Bool

    /// How it went so far.
    var course: SearchCourse { get }
}

extension SearchInParts {
    /// Looks on, for about as many steps as a part may have.
    package mutating func look(at picture: borrowing Picture) throws(Failure) -> Bool {
        try look(at: picture, steps: Effort.part)
    }

    /// The search after all its parts in one picture.
    package func whole(in picture: borrowing Picture) throws(Failure) -> Self {
        var search = self
        while try !search.look(at: picture) {}
        return search
    }
}

extension Live {
    /// The search after all its parts, each in the picture as it is then.
    package func readInParts<Search: SearchInParts>(_ search: Search) async throws -> Search {
        var search = search
        return try await readInParts { picture in try search.look(at: picture) ? search : nil }
    }

    /// Reads the picture again and again, each time as it is then, until `body` has found what it looks for.
    ///
    /// A commit that wants to be seen waits for one part, not for the whole. What is not found in the first part is looked for
    /// ``Aside``.
    ///
    /// - Returns: what `body` returned when that was not nil.
    /// - Throws: `CancellationError` after the part during which the task was cancelled, unless it was the last.
    public func readInParts<Result>(_ body: (borrowing Picture) throws -> Result?) async throws -> Result {
        if let result = try read(body) { return result }
        return try await Aside.run {
            while true {
                try Task.checkCancellation()
                if let result = try read(body) { return result }
                await Task.yield()
            }
        }
    }

    /// Looks at each of many items, as many in one reading as half of what a reading may cost allows.
    ///
    /// - Parameters:
    ///   - items: what was taken out of the picture before; what is gone meanwhile is for `body` to pass over.
    ///   - steps: what it costs to look at one of them; see `Effort`.
    ///   - limit: how many are wanted at most.
    ///   - body: returns what it finds of an item, nil for nothing.
    /// - Returns: what was found, in the order of the items.
    /// - Throws: as ``readInParts(_:)``.
    func read<Items: Collection, Found>(
        each items: Items, costing steps: Int, atMost limit: Int = .max,
        _ body: (borrowing Picture, Items.Element) throws -> Found?
    ) async throws -> [Found] {
        var found: [Found] = []
        var rest = items[...]
        if rest.isEmpty || limit <= 0 { return found }
        return try await readInParts { picture in
            let part = rest.prefix(max(1, Effort.reading / 2 / steps))
            Effort.count(part.count * steps)
            rest = rest[part.endIndex...]
            for item in part {
                if let one = try body(picture, item) { found.append(one) }
                if found.count == limit { return found }
            }
            return rest.isEmpty ? found : nil
        }
    }
}
