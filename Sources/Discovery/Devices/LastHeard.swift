public import Model

/// When devices were last heard, as far as that is not written.
struct LastHeard: Sendable {
    /// The shortest time between two writes, except at a stop.
    private static let pause = Duration.seconds(600)

    private(set) var times: [DeviceNumber: Timestamp] = [:]
    /// When the first of them was heard after the last write.
    private var since: Timestamp?

    mutating func hear(_ device: DeviceNumber, at time: Timestamp) {
        times[device] = time
        since = since ?? time
    }

    /// Whether to write them; also if the clock was ahead when they were heard.
    func areDue(at now: Timestamp) -> Bool { since.map { now - $0 >= Self.pause || now < $0 } ?? false }

    /// Forgets times that are written, except of devices that were heard again.
    mutating func forget(_ written: [DeviceNumber: Timestamp], at now: Timestamp) {
        times = times.filter { written[$0.key] != $0.value }
        since = times.isEmpty ? nil : now
    }
}

/// A device as its person and services see it.
public struct ListedDevice: Sendable {
    /// The device.
    public let device: Device
    /// When a request with its token last came, whatever became of it; nil for never.
    public let lastHeard: Timestamp?
}

/// Writes when a device was last heard.
struct HearDevice: Action {
    let device: DeviceNumber
    let time: Timestamp

    /// One that was removed in the meantime is passed over.
    func carryOut(on draft: inout Draft) throws {
        try draft.refusePeople()
        guard draft.picture.people.devices[device] != nil else { return }
        try draft.follow(.devices(.heard(device, at: time)))
    }
}

extension Live {
    /// Takes note that a request with the token of a device came.
    ///
    /// It is written every ten minutes and at a stop, so that a request costs no write.
    public func hear(_ device: DeviceNumber, at now: Timestamp) { lastHeard.withLock { $0.hear(device, at: now) } }

    /// A person's devices, by id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func devices(of id: PersonID) throws(Refusal) -> [ListedDevice] {
        let unwritten = lastHeard.withLock { $0.times }
        return try read { picture throws(Refusal) in
            guard let person = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return picture.people.devices.numbers(of: person).compactMap { number in
                picture.people.devices[number].map { entry in
                    ListedDevice(device: entry.device, lastHeard: unwritten[number] ?? entry.lastHeard)
                }
            }.sorted { $0.device.id < $1.device.id }
        }
    }

    /// Writes when devices were last heard, if that is due.
    public func keepLastHeard(dueAt now: Timestamp) async throws {
        let heard = lastHeard.withLock { $0.areDue(at: now) ? $0.times : [:] }
        guard !heard.isEmpty else { return }
        let actions = heard.sorted { $0.key < $1.key }.map { HearDevice(device: $0.key, time: $0.value) }
        _ = try await perform(Each(actions), by: .service, at: now, of: .maintenance)
        lastHeard.withLock { $0.forget(heard, at: now) }
    }
}
