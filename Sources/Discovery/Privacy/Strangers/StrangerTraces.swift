public import Model

/// Data that discovery stores about a person besides the document and the positions.
public struct StrangerTraces: Sendable {
    /// The origin of the person's searches, when last decided; nil for none.
    public var searchOrigin: SearchOrigin?
    /// The neighborhood in which the person can be found; nil for none.
    public var residence: Residence?
    /// The remembered cells: first cells of privacy zones, then places of stays near cell borders, latest last.
    public var rememberedCells: [RememberedCell]
}

extension LiveState {
    /// Returns what discovery stores about a person.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func strangerTraces(of id: PersonID) throws(Refusal) -> StrangerTraces {
        guard let state = people.state(of: id) else { throw .unknown(.person, id.any) }
        return StrangerTraces(
            searchOrigin: state.searchOrigin, residence: state.traces.residence,
            rememberedCells: state.traces.rememberedCells)
    }
}
