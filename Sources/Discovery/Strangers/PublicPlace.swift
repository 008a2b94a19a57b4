public import Geo
public import Model

/// What strangers may know of where a person is.
public struct PublicPlace: Sendable {
    /// The public cell, by which the distance to the person is told.
    public var cell: CubeCell
    /// How long ago the person was known to be there; nil from seven days on, and for the cell of a city.
    public var seen: Stranger.Seen?
}

extension Picture {
    /// What strangers may know of where a person is; nil for somebody who is not shown to them.
    ///
    /// It tells, by the size of the cell, whether twenty others live there: so it is for services only.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, ``Refusal/notAllowed``.
    public func publicPlace(of id: PersonID, for caller: Caller, at now: Timestamp) throws(Refusal) -> PublicPlace? {
        guard case .service = caller else { throw .notAllowed }
        guard let number = people.number(of: id), let state = people.state(of: id) else {
            throw .unknown(.person, id.any)
        }
        guard state.person.isToldAdult(at: now), people.isShown(number, at: now),
            let listing = People.listing(state)
        else { return nil }
        return PublicPlace(cell: listing.cell, seen: people.seen(number, at: now))
    }
}

extension People {
    /// How long ago strangers are told that a person was known to be at the newest position.
    ///
    /// Of a time as coarse as friends are told, so that waiting for the change does not tell it finer.
    func seen(_ number: PersonNumber, at now: Timestamp) -> Stranger.Seen? {
        last(of: number).flatMap { Stranger.Seen(now - Precision.approximate.rounded($0.lastSeen)) }
    }
}
