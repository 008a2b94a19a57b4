public import Geo
public import Model

/// A person's place as strangers may know it.
public struct PublicPlace: Sendable {
    /// The public cell, from which the distance to the person is computed.
    public var cell: CubeCell
    /// The time since the person was known to be there; nil from seven days on, and for the cell of a city.
    public var seen: Stranger.Seen?
}

extension LiveState {
    /// Returns what strangers may know about a person's place; nil for a person who is not shown to them.
    ///
    /// The size of the cell reveals whether twenty others live there, so only services may ask.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, ``Refusal/notAllowed``.
    public func publicPlace(of id: PersonID, for caller: Caller, at now: Timestamp) throws(Refusal) -> PublicPlace? {
        guard case .service = caller else { throw .notAllowed }
        guard let number = people.number(of: id), let state = people.state(of: id) else {
            throw .unknown(.person, id.any)
        }
        guard state.person.isShownAdult(at: now), people.isShown(number, at: now),
            let listing = People.listing(state)
        else { return nil }
        return PublicPlace(cell: listing.cell, seen: people.seen(number, at: now))
    }
}

extension People {
    /// The time since the newest position as shown to strangers.
    ///
    /// It is rounded like for friends, so that waiting for the change does not reveal a finer time.
    func seen(_ number: PersonNumber, at now: Timestamp) -> Stranger.Seen? {
        last(of: number).flatMap { Stranger.Seen(now - Precision.approximate.rounded($0.lastSeen)) }
    }
}
