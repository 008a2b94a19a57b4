public import Model

/// Registers a device of a person; fails if the person has a device with this id.
public struct AddDevice: Action {
    let device: Device
    let person: PersonID

    /// A device with its token.
    public init(_ device: Device, of person: PersonID) { (self.device, self.person) = (device, person) }

    /// - Returns: the device number that the token carries.
    public func apply(to draft: inout Draft) throws -> DeviceNumber {
        let owner = try draft.number(of: person)
        guard draft.state.people.devices.number(of: device.id, of: owner) == nil else {
            throw Refusal.deviceExists(device.id)
        }
        guard draft.state.people.devices.numbers(of: owner).count < Devices.most else {
            throw Refusal.tooManyDevices(Devices.most)
        }
        let number = draft.state.people.devices.nextNumber
        try draft.write(.devices(.put(number, of: owner, device)))
        return number
    }
}

/// Replaces the token of a person's device; the old token is invalid from then on.
public struct RotateDevice: Action {
    let device: Device
    let person: PersonID

    /// A device with its new token.
    public init(_ device: Device, of person: PersonID) { (self.device, self.person) = (device, person) }

    /// - Returns: the device number that the token carries.
    public func apply(to draft: inout Draft) throws -> DeviceNumber {
        let (number, owner) = try draft.device(device.id, of: person)
        try draft.write(.devices(.put(number, of: owner, device)))
        return number
    }
}

/// Removes a person's device.
public struct RemoveDevice: Action {
    let device: DeviceID
    let person: PersonID

    /// The device with this id.
    public init(_ device: DeviceID, of person: PersonID) { (self.device, self.person) = (device, person) }

    /// Removes the device; requests with its token are rejected from then on.
    public func apply(to draft: inout Draft) throws {
        try draft.write(.devices(.removed(draft.device(device, of: person).number)))
    }
}

extension Draft {
    fileprivate func device(_ id: DeviceID, of person: PersonID) throws(Refusal) -> (
        number: DeviceNumber, owner: PersonNumber
    ) {
        let owner = try number(of: person)
        guard let number = state.people.devices.number(of: id, of: owner) else { throw .unknown(.device, id.any) }
        return (number, owner)
    }
}
