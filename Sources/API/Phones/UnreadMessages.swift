internal import Model
internal import Synchronization

/// The messages of each device that could not be read since the service started, and the newest of them.
final class UnreadMessages: Sendable {
    struct Entry {
        var count: Int64
        /// The protocol and the time of the newest.
        var phone: PhoneProtocol
        var at: Timestamp
    }

    private struct Key: Hashable {
        let person: PersonID
        let device: DeviceID
    }

    /// The most devices that are remembered; beyond it those heard longest ago are dropped.
    private static let most = 10_000

    private let entries = Mutex<[Key: Entry]>([:])

    func note(_ count: Int, of device: DeviceID, _ person: PersonID, by phone: PhoneProtocol, at now: Timestamp) {
        guard count > 0 else { return }
        let key = Key(person: person, device: device)
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= Self.most,
                let oldest = entries.min(by: { $0.value.at < $1.value.at })
            {
                entries[oldest.key] = nil
            }
            entries[key] = Entry(count: (entries[key]?.count ?? 0) + Int64(count), phone: phone, at: now)
        }
    }

    /// The messages with the present tokens of a device; nil for none.
    func entry(of device: Device, _ person: PersonID) -> Entry? {
        let entry = entries.withLock { $0[Key(person: person, device: device.id)] }
        return entry.flatMap { $0.at >= device.since ? $0 : nil }
    }
}
