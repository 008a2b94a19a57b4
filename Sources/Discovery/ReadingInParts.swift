extension Live {
    /// Reads the picture again and again, each time as it is then, until `body` has found what it looks for.
    ///
    /// A commit that wants to be seen waits for one part, not for the whole, and others may go on between two.
    ///
    /// - Returns: what `body` returned when that was not nil.
    /// - Throws: `CancellationError` after the part during which the task was cancelled, unless it was the last.
    public func readInParts<Result>(_ body: (borrowing Picture) throws -> Result?) async throws -> Result {
        while true {
            if let result = try read(body) { return result }
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
