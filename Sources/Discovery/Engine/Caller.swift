public import Model

/// The principal on whose behalf a request is made.
public enum Caller: Codable, Hashable, Sendable {
    /// A trusted service, which may act for every person.
    case service
    /// A person, who may act only for themselves.
    case person(PersonID)

    /// Whether the caller is that person or a service.
    public func mayAct(for person: PersonID) -> Bool {
        switch self {
        case .service: true
        case .person(let own): own == person
        }
    }
}

/// A document to create or replace.
public struct Write<Value: Codable & Sendable>: Codable, Sendable {
    /// The document to store.
    public var value: Value
    /// Precondition on the stored document; the write is refused unless it holds.
    public var condition: Condition
    /// Parts of a stored person that stay unchanged, whatever ``value`` contains; a new person has none yet.
    public var kept: PersonParts = []

    /// A conditional write of a document.
    public init(_ value: Value, if condition: Condition = .always) {
        self.value = value
        self.condition = condition
    }
}

/// A precondition on the stored document, as in HTTP's `If-Match` and `If-None-Match`.
public enum Condition: Codable, Hashable, Sendable {
    case always
    /// The stored document has one of these revisions.
    case isRevision(Set<Int64>)
    case exists
    case isAbsent
}

/// The result of a stored write.
public struct Written: Hashable, Sendable {
    /// Whether the document was created rather than replaced.
    public var isNew: Bool
    /// The revision that is stored now; the old one if nothing changed.
    ///
    /// Stock and friendships keep no revision; theirs is the time of receipt in milliseconds since 1970.
    public var revision: Int64
    /// The whole document of a person, because a write may keep parts that it does not mention; nil for other kinds.
    public var person: Person?
    /// Whether only a part was written, so that the action must be repeated.
    var isBegun = false
}

/// The reason why an action was refused.
public enum Refusal: Error, Hashable {
    /// The kind of an unknown entity.
    public enum Kind: String, Sendable {
        case person, position, friend, block, device, group, member, invitation, place, store, product, stock, comment,
            favourite, fence, share, webhook
    }

    /// No such entity, or one that the caller may not know of.
    case unknown(Kind, AnyID)
    /// A person cannot befriend, block or decide about themselves.
    case oneself
    /// One of the two has blocked the other.
    case separated
    /// The caller may not act for this person, or change this place.
    case notAllowed
    /// A person may create places only as their owner.
    case makerNotOwner
    /// Only a trusted service may create places of this kind; the kinds that people may create are given.
    case kindNotAllowed(String, PlaceKinds)
    /// Only a trusted service may set thresholds below these, in meters and as a duration.
    case throttleTooLow(distance: Double, interval: Duration)
    /// Only a trusted service may make tokens of a person valid again that were issued before this instant.
    case tokensStayEnded(before: Timestamp)
    /// A person with this ID is still being deleted; the ID can be registered again afterwards.
    case beingDeleted(PersonID)
    /// The stored document does not meet the condition, or no longer does.
    case conditionFailed
    /// The person has no known position to search around.
    case noPosition(PersonID)
    /// The person has no known position up to the requested instant.
    case noPositionThen(PersonID)
    /// The person already has a device with this ID.
    case deviceExists(DeviceID)
    /// The person has the maximum number of devices.
    case tooManyDevices(Int)
    /// A group with this ID already exists.
    case groupExists(GroupID)
    /// Only the owner of a group may change it or remove members.
    case notOwner
    /// The group has the maximum number of members, including invited people.
    case tooManyMembers(Int)
    /// The person owns the maximum number of something.
    case tooMany(Allowance.Possession, Int)
    /// The maximum number of webhooks exists.
    case tooManyWebhooks(Int)
    /// The person belongs to the maximum number of groups.
    case tooManyGroups(Int)
    /// Only people known to be 18 or older may find strangers.
    case notAdult(PersonID)
}
