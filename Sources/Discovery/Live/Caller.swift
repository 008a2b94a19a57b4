public import Model

/// On whose behalf something is asked.
public enum Caller: Codable, Hashable, Sendable {
    /// A trusted service: may act for everybody.
    case service
    /// A person: may act for themselves.
    case person(PersonID)

    /// Whether it is the person, or a service.
    public func mayAct(for person: PersonID) -> Bool {
        switch self {
        case .service: true
        case .person(let own): own == person
        }
    }
}

/// A document to be created or replaced.
public struct Write<Value: Codable & Sendable>: Codable, Sendable {
    /// The document as it is to be stored.
    public var value: Value
    /// What must hold of the stored document, or else the write is refused.
    public var condition: Condition
    /// Of a person, what stays as it is stored, whatever ``value`` says; a new person has nothing yet.
    public var kept: PersonParts = []

    /// A document to be written if a condition holds.
    public init(_ value: Value, if condition: Condition = .always) {
        self.value = value
        self.condition = condition
    }
}

/// What must hold of the stored document for a write to happen.
public enum Condition: Codable, Hashable, Sendable {
    case always
    /// The stored document has one of these revisions.
    case isRevision(Set<Int64>)
    case exists
    case isAbsent
}

/// A document that was stored.
public struct Written: Hashable, Sendable {
    /// Whether there was nothing to replace.
    public var isNew: Bool
    /// The revision that is stored now, which is the old one if nothing changed.
    ///
    /// Of stock and friendships, which keep none, it is the milliseconds of the receipt since 1970.
    public var revision: Int64
    /// Of a person the whole document, for what a write does not mention may have been kept; nil of everything else.
    public var person: Person?
}

/// Why an action was not carried out.
public enum Refusal: Error, Hashable {
    /// What it is that is not known.
    public enum Kind: String, Sendable {
        case person, position, friend, block, device, group, member, invitation, place, store, product, stock, comment,
            favourite, fence, share, webhook
    }

    /// Also for what the caller may not know of.
    case unknown(Kind, AnyID)
    /// A person cannot befriend, block or decide about themselves.
    case oneself
    /// One of the two has blocked the other.
    case separated
    /// The caller may not act for this person, or change this place.
    case notAllowed
    /// A person makes places only as their owner.
    case makerNotOwner
    /// Only a trusted service makes places of this kind; people may make those.
    case kindNotAllowed(String, PlaceKinds)
    /// Only a trusted service sets thresholds below these, in metres and of time.
    case throttleTooLow(distance: Double, interval: Duration)
    /// Only a trusted service makes a person's tokens good again that were issued before this.
    case tokensStayEnded(before: Timestamp)
    /// There was a person of this id, of whom not all is deleted yet; then there may be another.
    case beingDeleted(PersonID)
    /// The document is not, or is no longer, as the condition says.
    case conditionFailed
    /// The person's place is not known, so that nothing can be near.
    case noPosition(PersonID)
    /// Nothing is known of the person's place up to the instant that is asked for.
    case noPositionThen(PersonID)
    /// The person has a device of this id already.
    case deviceExists(DeviceID)
    /// The person has as many devices as a person may have.
    case tooManyDevices(Int)
    /// There is a group of this id already.
    case groupExists(GroupID)
    /// Only the owner of a group changes it or sends members away.
    case notOwner
    /// The group has as many members, invited ones included, as a group may have.
    case tooManyMembers(Int)
    /// The person has as many of something as a person may.
    case tooMany(Allowance.Possession, Int)
    /// There are as many webhooks as there may be.
    case tooManyWebhooks(Int)
    /// The person belongs to as many groups as a person may.
    case tooManyGroups(Int)
    /// Only people who are known to be 18 or older find strangers.
    case notAdult(PersonID)
}
