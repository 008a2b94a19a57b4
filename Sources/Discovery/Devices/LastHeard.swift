public import Model
internal import Synchronization

/// When devices were last heard, as far as that is not written.
struct LastHeard: Sendable {
    /// The shortest time between two writes, except at a stop.
    private static let pause = Duration.seconds(600)

    private var times: [DeviceNumber: Timestamp] = [:]
    /// The earlier times, which are being written.
    private var leaving: [DeviceNumber: Timestamp] = [:]
    /// When the first of ``times`` was taken note of.
    private var since: Timestamp?

    subscript(device: DeviceNumber) -> Timestamp? { times[device] ?? leaving[device] }

    var all: [DeviceNumber: Timestamp] { leaving.merging(times) { $1 } }

    mutating func hear(_ device: DeviceNumber, at time: Timestamp) {
        times[device] = time
        since = since ?? time
    }

    /// The times that must be written now; also if the clock was ahead when they were taken note of, or a write failed.
    mutating func due(at now: Timestamp) -> [DeviceNumber: Timestamp] {
        guard !leaving.isEmpty || since.map({ now - $0 >= Self.pause || now < $0 }) ?? false else { return [:] }
        leaving = all
        (times, since) = ([:], nil)
        return leaving
    }

    /// Forgets the times that were due, which are written.
    mutating func forgetWritten() { leaving = [:] }
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

    /// One that was removed in the meantime, or heard later by another machine, is passed over.
    func carryOut(on draft: inout Draft) throws {
        try draft.refusePeople()
        guard let known = draft.picture.people.devices[device], known.lastHeard.map({ $0 < time }) ?? true else {
            return
        }
        try draft.follow(.devices(.heard(device, at: time)))
    }
}

extension Live {
    /// Takes note that a request with the token of a device came.
    ///
    /// It is written every ten minutes, so that a request costs no write; where no log is followed, a stop writes it too.
    public func hear(_ device: DeviceNumber, at now: Timestamp) { lastHeard.withLock { $0.hear(device, at: now) } }

    /// A person's devices, by id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func devices(of id: PersonID) throws(Refusal) -> [ListedDevice] {
        try read { picture throws(Refusal) in
            guard let person = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
            return picture.people.devices.numbers(of: person).compactMap { number in
                picture.people.devices[number].map { entry in
                    // Within the reading, during which no write is published, and so none is forgotten here.
                    let unwritten = lastHeard.withLock { $0[number] }
                    return ListedDevice(
                        device: entry.device, lastHeard: [unwritten, entry.lastHeard].compactMap(\.self).max())
                }
            }.sorted { $0.device.id < $1.device.id }
        }
    }

    /// Writes when devices were last heard, if that is due.
    public func keepLastHeard(dueAt now: Timestamp) async throws {
        let heard = lastHeard.withLock { $0.due(at: now) }
        guard !heard.isEmpty else { return }
        let actions = heard.sorted { $0.key < $1.key }.map { HearDevice(device: $0.key, time: $0.value) }
        _ = try await perform(Each(actions), by: .service, at: now, of: .maintenance)
        lastHeard.withLock { $0.forgetWritten() }
    }
}
