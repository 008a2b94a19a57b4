internal import Geo
public import Model
internal import Structures

/// The devices of people, by the numbers that their tokens name.
struct Devices: Sendable {
    /// How many devices a person has at most.
    static let most = 100

    private(set) var nextNumber: DeviceNumber = 0
    private var entries: [DeviceNumber: (person: PersonNumber, device: Device)] = [:]
    private var owned: [PersonNumber: SortedNumbers<DeviceNumber>] = [:]

    subscript(number: DeviceNumber) -> (person: PersonNumber, device: Device)? { entries[number] }

    func numbers(of person: PersonNumber) -> [DeviceNumber] { owned[person]?.numbers ?? [] }

    /// Gives no number below this one from now on.
    mutating func skip(to number: DeviceNumber) { nextNumber = max(nextNumber, number) }

    func number(of id: DeviceID, of person: PersonNumber) -> DeviceNumber? {
        numbers(of: person).first { entries[$0]?.device.id == id }
    }

    /// Adds a device, or replaces the one of its number.
    mutating func put(_ number: DeviceNumber, of person: PersonNumber, _ device: Device) {
        entries[number] = (person, device)
        owned[person, default: SortedNumbers()].insert(number)
        nextNumber = max(nextNumber, number.advanced(by: 1))
    }

    mutating func remove(_ number: DeviceNumber) {
        if let person = entries.removeValue(forKey: number)?.person { owned.remove(number, of: person) }
    }

    /// Takes out all devices of a person who was deleted.
    mutating func forget(_ person: PersonNumber) {
        for number in numbers(of: person) { entries[number] = nil }
        owned[person] = nil
    }
}

/// What is known of the devices of people.
extension Picture {
    /// A person's devices, by id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func devices(of id: PersonID) throws(Refusal) -> [Device] {
        guard let person = people.number(of: id) else { throw .unknown(.person, id.any) }
        return people.devices.numbers(of: person).compactMap { people.devices[$0]?.device }.sorted { $0.id < $1.id }
    }

    /// The device of a number, with the id of its person; nil if there is none.
    public func device(_ number: DeviceNumber) -> (person: PersonID, device: Device)? {
        people.devices[number].map { (ID(known: people.ids.id(of: $0.person.rawValue)), $0.device) }
    }
}
