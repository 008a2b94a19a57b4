internal import Discovery
internal import Model

/// Who calls, as their token proves.
enum Principal: Hashable, Sendable {
    case service
    case person(PersonID)
    /// A device of a person.
    case device(DeviceID, of: PersonID)

    /// On whose behalf the rules take the call; a device is let to few routes, where it stands for its person.
    var caller: Caller {
        switch self {
        case .service: .service
        case .person(let id), .device(_, of: let id): .person(id)
        }
    }
}
