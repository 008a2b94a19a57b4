internal import Geo
public import Model

extension Engine {
    /// Returns strangers around a person.
    ///
    /// - Throws: ``Refusal`` if the viewer is unknown, has no place, or is not known to be an adult.
    public func strangers(_ query: StrangerQuery, at now: Timestamp) throws(Refusal) -> StrangerPage {
        var listing = StrangerListing(query, at: now)
        while try !read({ state throws(Refusal) in try look(for: &listing, in: state) }) {}
        return listing.page
    }

    /// Examines the next people of a list of strangers, within a read.
    ///
    /// The viewer is charged for each stranger who may be shown, and not for the cells and people in between.
    ///
    /// - Returns: whether this was the last part.
    /// - Throws: as ``strangers(_:at:)``.
    public func look(for listing: inout StrangerListing, in state: borrowing LiveState) throws(Refusal) -> Bool {
        try WorkBudget.uncharged { () throws(Refusal) in try listing.look(at: state, secret: order) }
    }
}
