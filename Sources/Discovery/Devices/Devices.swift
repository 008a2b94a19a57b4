internal import Geo
public import Model
internal import Structures

/// The devices of people, by the numbers that their tokens name.
struct Devices: Sendable {
    /// How many devices a person has at most.
    static let most = 100

    private(set) var nextNumber: Int32 = 0
    private var entries: [Int32: (person: Int32, device: Device)] = [:]
    private var owned: [Int32: SortedNumbers] = [:]

    subscript(number: Int32) -> (person: Int32, device: Device)? { entries[number] }

    func numbers(of person: Int32) -> [Int32] { owned[person]?.numbers ?? [] }

    func number(of id: DeviceID, of person: Int32) -> Int32? {
        numbers(of: person).first { entries[$0]?.device.id == id }
    }

    /// Adds a device, or replaces the one of its number.
    mutating func put(_ number: Int32, of person: Int32, _ device: Device) {
        entries[number] = (person, device)
        owned[person, default: SortedNumbers()].insert(number)
        nextNumber = max(nextNumber, number + 1)
    }

    mutating func remove(_ number: Int32) {
        if let person = entries.removeValue(forKey: number)?.person { owned.remove(number, of: person) }
    }

    /// Takes out all devices of a person who was deleted.
    mutating func forget(_ person: Int32) {
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
    public func device(_ number: Int32) -> (person: PersonID, device: Device)? {
        people.devices[number].map { (ID(known: people.ids.id(of: $0.person)), $0.device) }
    }
}
