package import Model

/// A log entry's action: its name, and all that its effect depends on besides the state and the rules.
///
/// A node that applies the log in order reaches the same state.
package struct LogEntry: Codable, Sendable {
    /// All actions, except batches (``Batch``) of them.
    package static let types: [any Action.Type] = [
        AcceptInvitation.self, AcceptWatcher.self, AddDevice.self, Befriend.self, Block.self,
        CellResolutionUpdate.self, CountViews.self, CreateGroup.self, Decide.self, DeleteComment.self,
        DeleteFence.self, DeleteGroup.self, DeletePerson.self, DeletePlace.self, DeleteProduct.self,
        DeleteWebhook.self, EditComment.self, EndExpiredShares.self, EndShare.self, EndWatcher.self, Erase.self,
        FireTimedFences.self, ForgetStay.self, Import.self, Invite.self, MakeFriends.self, NoteDelivery.self,
        NoteFriend.self, OpenShare.self, PostComment.self, PutFence.self,
        PutPerson.self, PutPlace.self, PutProduct.self, PutStockItem.self, PutWebhook.self, Record.self,
        Redeliver.self, RemoveDevice.self, RemoveMember.self, RemoveStock.self, ReplaceGroup.self, RotateDevice.self,
        RotateWebhook.self, SetFavourite.self, StoreLastRequest.self, Unblock.self, Unfriend.self, Uninvite.self,
        WritePendingStay.self,
    ]

    private static let named = Dictionary(
        uniqueKeysWithValues: types.flatMap { type in [type, each(type)].map { ("\($0)", $0) } })

    private static func each<Item: Action>(_ item: Item.Type) -> any Action.Type { Batch<Item>.self }

    private enum CodingKeys: CodingKey { case name, action, caller, received, moment, lease }

    package let action: any Action
    /// The principal.
    package let caller: Caller
    package let received: Timestamp
    /// The earliest and the latest possible time of receipt, given the error of the clock.
    package let moment: ClosedRange<Timestamp>
    /// The lease of a cluster-wide maintenance action, void after another lease was taken; nil for other actions.
    package let lease: UInt64?

    /// A caller's action received at an instant of a correct clock.
    package init(_ action: any Action, by caller: Caller, at received: Timestamp) {
        self.init(action, by: caller, at: received, in: received...received, under: nil)
    }

    init(
        _ action: any Action, by caller: Caller, at received: Timestamp, in moment: ClosedRange<Timestamp>,
        under lease: UInt64?
    ) {
        (self.action, self.caller, self.received, self.moment) = (action, caller, received, moment)
        self.lease = lease
    }

    /// Decodes without validation: a log comes from a node, never from outside.
    ///
    /// - Throws: `DecodingError`, also for an unknown name.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decode(String.self, forKey: .name)
        guard let type = Self.named[name] else {
            throw DecodingError.dataCorruptedError(forKey: .name, in: values, debugDescription: "no action \(name)")
        }
        action = try values.decode(type, forKey: .action)
        caller = try values.decode(Caller.self, forKey: .caller)
        received = try values.decode(Timestamp.self, forKey: .received)
        moment = try values.decode(ClosedRange<Timestamp>.self, forKey: .moment)
        lease = try values.decodeIfPresent(UInt64.self, forKey: .lease)
    }

    /// Encodes the action with its name.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode("\(type(of: action))", forKey: .name)
        try values.encode(action, forKey: .action)
        try values.encode(caller, forKey: .caller)
        try values.encode(received, forKey: .received)
        try values.encode(moment, forKey: .moment)
        try values.encodeIfPresent(lease, forKey: .lease)
    }
}
