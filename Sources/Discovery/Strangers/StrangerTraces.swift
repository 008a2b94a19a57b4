public import Model

/// What discovery keeps of a person beside the document and the positions.
public struct StrangerTraces: Sendable {
    /// From where the person looks for strangers, as it was when that was last decided; nil for nowhere.
    public var viewpoint: Viewpoint?
    /// The neighbourhood in which the person can be found; nil for none.
    public var residence: Residence?
    /// Where the person stays near the border of a cell, latest last; before them the zones in which a cell was told.
    public var rememberedCells: [RememberedCell]
}

extension Picture {
    /// What discovery keeps of a person.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func strangerTraces(of id: PersonID) throws(Refusal) -> StrangerTraces {
        guard let state = people.state(of: id) else { throw .unknown(.person, id.any) }
        return StrangerTraces(
            viewpoint: state.viewpoint, residence: state.traces.residence,
            rememberedCells: state.traces.rememberedCells)
    }
}
