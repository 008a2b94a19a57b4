internal import Geo
public import Model
internal import Structures

/// The devices of people, by the numbers that their tokens carry.
struct Devices: Sendable {
    /// The maximum number of devices of a person.
    static let most = 100

    private(set) var nextNumber: DeviceNumber = 0
    private var entries: [DeviceNumber: Entry] = [:]
    private var owned: [PersonNumber: SortedNumbers<DeviceNumber>] = [:]

    /// A device, its owner, and the time of its last request as far as it is stored.
    struct Entry: Sendable {
        let person: PersonNumber
        var device: Device
        var lastHeard: Timestamp?
    }

    subscript(number: DeviceNumber) -> Entry? { entries[number] }

    func numbers(of person: PersonNumber) -> [DeviceNumber] { owned[person]?.numbers ?? [] }

    /// Ensures that new numbers start at `number` or above.
    mutating func skip(to number: DeviceNumber) { nextNumber = max(nextNumber, number) }

    func number(of id: DeviceID, of person: PersonNumber) -> DeviceNumber? {
        numbers(of: person).first { entries[$0]?.device.id == id }
    }

    mutating func apply(_ change: DeviceChange) {
        switch change {
        case .put(let number, let person, let device): put(number, of: person, device)
        case .contact(let number, let time): entries[number]?.lastHeard = time
        case .removed(let number): remove(number)
        }
    }

    /// Adds a device, or replaces the token of the device with this number.
    private mutating func put(_ number: DeviceNumber, of person: PersonNumber, _ device: Device) {
        entries[number, default: Entry(person: person, device: device)].device = device
        owned[person, default: SortedNumbers()].insert(number)
        nextNumber = max(nextNumber, number.advanced(by: 1))
    }

    private mutating func remove(_ number: DeviceNumber) {
        if let person = entries.removeValue(forKey: number)?.person { owned.remove(number, of: person) }
    }

    mutating func forget(_ person: PersonNumber) {
        for number in numbers(of: person) { entries[number] = nil }
        owned[person] = nil
    }
}

/// Lookup of people's devices.
extension LiveState {
    /// The device with a number, and its owner's id; nil if there is none.
    public func device(_ number: DeviceNumber) -> (person: PersonID, device: Device)? {
        people.devices[number].map { (ID(known: people.ids.id(of: $0.person.rawValue)), $0.device) }
    }
}
