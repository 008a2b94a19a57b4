internal import Geo
public import Model
internal import Structures

/// Creates or replaces a place.
public struct PutPlace: Action {
    package let write: Write<Place>

    /// The new document.
    public init(_ write: Write<Place>) { self.write = write }

    /// The document's weight.
    public var weight: Int { write.value.weight }

    /// - Returns: the document's revision.
    public func apply(to draft: inout Draft) throws -> Written {
        var place = write.value
        let old = draft.state.catalogue.placeIndex.record(of: place.id)
        place.created = old == nil ? draft.received : old?.value.created
        guard (old?.value ?? place).isWritable(by: draft.caller) && place.isWritable(by: draft.caller) else {
            throw old == nil ? Refusal.makerNotOwner : .notAllowed
        }
        if let owner = place.owner, draft.state.people.leaving[owner] != nil { throw Refusal.beingDeleted(owner) }
        let kinds = draft.rules.kindsOfPeople
        // An owner may change a place that keeps its kind, also one created by a service.
        if draft.caller != .service, place.kind != old?.value.kind, !kinds.contains(place.kind) {
            throw Refusal.kindNotAllowed(place.kind, kinds)
        }
        let revision = try draft.revision(after: old?.revision, if: write.condition)
        if old == nil, let owner = place.owner {
            try draft.refuse(.place, after: draft.state.catalogue.placeIndex.places(ownedBy: owner).count)
        }
        if let old, old.value == place { return Written(isNew: false, revision: old.revision) }
        let number = old?.number ?? draft.state.catalogue.placeIndex.nextNumber
        try draft.write(.catalogue(.place(Versioned(number: number, revision: revision, value: place))))
        return Written(isNew: old == nil, revision: revision)
    }
}

extension Place {
    /// Whether a caller may change the place.
    func isWritable(by caller: Caller) -> Bool { caller == .service || owner.map(caller.mayAct) ?? false }
}
