internal import Discovery
internal import Model

/// The identity that a token proves.
enum Principal: Hashable, Sendable {
    /// A trusted service; a reader's ``Proof`` only reads.
    case service
    case person(PersonID)
    case device(DeviceID, of: PersonID)

    /// The caller for the access rules; a device may use few routes, and represents its person there.
    var caller: Caller {
        switch self {
        case .service: .service
        case .person(let id), .device(_, of: let id): .person(id)
        }
    }
}
