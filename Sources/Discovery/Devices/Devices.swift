internal import Geo
public import Model
internal import Structures

/// The devices of people, by the numbers that their tokens name.
struct Devices: Sendable {
    /// How many devices a person has at most.
    static let most = 100

    private(set) var nextNumber: DeviceNumber = 0
    private var entries: [DeviceNumber: Entry] = [:]
    private var owned: [PersonNumber: SortedNumbers<DeviceNumber>] = [:]

    /// A device, its person, and when it was last heard as far as that is written.
    struct Entry: Sendable {
        let person: PersonNumber
        var device: Device
        var lastHeard: Timestamp?
    }

    subscript(number: DeviceNumber) -> Entry? { entries[number] }

    func numbers(of person: PersonNumber) -> [DeviceNumber] { owned[person]?.numbers ?? [] }

    /// Gives no number below this one from now on.
    mutating func skip(to number: DeviceNumber) { nextNumber = max(nextNumber, number) }

    func number(of id: DeviceID, of person: PersonNumber) -> DeviceNumber? {
        numbers(of: person).first { entries[$0]?.device.id == id }
    }

    mutating func apply(_ change: DeviceChange) {
        switch change {
        case .put(let number, let person, let device): put(number, of: person, device)
        case .heard(let number, let time): entries[number]?.lastHeard = time
        case .removed(let number): remove(number)
        }
    }

    /// Adds a device, or gives the one of its number another token.
    private mutating func put(_ number: DeviceNumber, of person: PersonNumber, _ device: Device) {
        entries[number, default: Entry(person: person, device: device)].device = device
        owned[person, default: SortedNumbers()].insert(number)
        nextNumber = max(nextNumber, number.advanced(by: 1))
    }

    private mutating func remove(_ number: DeviceNumber) {
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
    /// The device of a number, with the id of its person; nil if there is none.
    public func device(_ number: DeviceNumber) -> (person: PersonID, device: Device)? {
        people.devices[number].map { (ID(known: people.ids.id(of: $0.person.rawValue)), $0.device) }
    }
}
