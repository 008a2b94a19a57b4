internal import Hours
internal import Model
internal import Structures

/// The groups in memory, by number, with their members.
struct Groups: Sendable {
    /// The maximum number of members and invitees of a group, counting those visible to the inviter.
    static let mostMembers = 256
    /// The maximum number of groups of a person.
    static let mostOfPerson = 100

    /// A group with its members and invitees.
    struct Entry: Sendable {
        var record: Versioned<Group>
        /// nil for a group that is always open.
        var timetable: Timetable?
        /// The times of joining.
        var members: [PersonNumber: Timestamp] = [:]
        var invitations: [PersonNumber: Invitation] = [:]

        var group: Group { record.value }

        /// Whether members' positions are shown through the group at an instant.
        func isOpen(at instant: Timestamp) -> Bool { timetable?.isOpen(at: instant) ?? true }
    }

    /// The inviter, and the time of the invitation.
    struct Invitation: Hashable, Sendable {
        var by: PersonNumber
        var at: Timestamp
    }

    private(set) var nextNumber: GroupNumber = 0
    private var entries: [GroupNumber: Entry] = [:]
    private var numbers: [GroupID: GroupNumber] = [:]
    private var joined: [PersonNumber: SortedNumbers<GroupNumber>] = [:]
    private var invited: [PersonNumber: SortedNumbers<GroupNumber>] = [:]

    subscript(number: GroupNumber) -> Entry? { entries[number] }

    func number(of id: GroupID) -> GroupNumber? { numbers[id] }

    /// Ensures that new numbers start at `number` or above.
    mutating func skip(to number: GroupNumber) { nextNumber = max(nextNumber, number) }

    func joined(by person: PersonNumber) -> [GroupNumber] { joined[person]?.numbers ?? [] }

    func inviting(_ person: PersonNumber) -> [GroupNumber] { invited[person]?.numbers ?? [] }

    mutating func apply(_ change: GroupChange) {
        switch change {
        case .put(let record): put(record)
        case .deleted(let number): remove(number)
        case .invited(let number, let person, let inviter, let at):
            entries[number]?.invitations[person] = Invitation(by: inviter, at: at)
            invited[person, default: SortedNumbers()].insert(number)
        case .joined(let number, let person, let at):
            leave(number, person)
            entries[number]?.members[person] = at
            joined[person, default: SortedNumbers()].insert(number)
        case .left(let number, let person): leave(number, person)
        }
    }

    private mutating func put(_ record: Versioned<Group>) {
        let timetable = record.value.timetable.map { Timetable(Timetable.Key(hours: $0.hours, zone: $0.timezone)) }
        var entry = entries[record.number] ?? Entry(record: record)
        entry.record = record
        entry.timetable = timetable
        entries[record.number] = entry
        numbers[record.value.id] = record.number
        nextNumber = max(nextNumber, record.number.advanced(by: 1))
    }

    private mutating func remove(_ number: GroupNumber) {
        guard let entry = entries[number] else { return }
        for person in [PersonNumber](entry.members.keys) + [PersonNumber](entry.invitations.keys) {
            leave(number, person)
        }
        numbers[entry.group.id] = nil
        entries[number] = nil
    }

    private mutating func leave(_ number: GroupNumber, _ person: PersonNumber) {
        entries[number]?.members[person] = nil
        entries[number]?.invitations[person] = nil
        joined.remove(number, of: person)
        invited.remove(number, of: person)
    }
}

extension Groups {
    /// The groups as text, a line per record.
    var canonicalDump: [String] {
        (0..<nextNumber).compactMap { entries[$0] }.flatMap { entry -> [String] in
            let number = entry.record.number
            let members = entry.members.sorted { $0.key < $1.key }.map { "member \(number) \($0.key) \($0.value)" }
            let invited = entry.invitations.sorted { $0.key < $1.key }.map { "invited \(number) \($0.key) \($0.value)" }
            return ["group \(entry.record)"] + members + invited
        }
    }
}
