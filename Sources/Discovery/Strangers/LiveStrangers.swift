internal import Geo
public import Model

extension Live {
    /// Strangers around a person.
    ///
    /// - Throws: ``Refusal``: the viewer is unknown, has no place, or is not known to be an adult.
    public func strangers(_ query: StrangerQuery, at now: Timestamp) throws(Refusal) -> StrangerPage {
        var listing = StrangerListing(query, at: now)
        while try !read({ picture throws(Refusal) in try look(for: &listing, in: picture) }) {}
        return listing.page
    }

    /// Looks at the next people of a list of strangers in a picture that is being read.
    ///
    /// The viewer is charged for each who may be shown to them, and not for the cells and people that lie between.
    ///
    /// - Returns: whether these were the last.
    /// - Throws: as ``strangers(_:at:)``.
    public func look(for listing: inout StrangerListing, in picture: borrowing Picture) throws(Refusal) -> Bool {
        try Effort.uncharged { () throws(Refusal) in try listing.look(at: picture, secret: order) }
    }
}
