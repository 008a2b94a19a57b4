public import Model
internal import Synchronization

/// The times of devices' last requests that are not stored yet.
struct LastHeard: Sendable {
    /// The minimum time between two writes, except at shutdown.
    private static let pause = Duration.seconds(600)

    private var times: [DeviceNumber: Timestamp] = [:]
    /// The earlier times, which are being written.
    private var leaving: [DeviceNumber: Timestamp] = [:]
    /// The time of the first entry of ``times``.
    private var since: Timestamp?

    subscript(device: DeviceNumber) -> Timestamp? { times[device] ?? leaving[device] }

    var all: [DeviceNumber: Timestamp] { leaving.merging(times) { $1 } }

    mutating func recordRequest(_ device: DeviceNumber, at time: Timestamp) {
        times[device] = time
        since = since ?? time
    }

    /// Returns the times to store now, also after a failed write or if the clock was ahead before.
    mutating func due(at now: Timestamp) -> [DeviceNumber: Timestamp] {
        guard !leaving.isEmpty || since.map({ now - $0 >= Self.pause || now < $0 }) ?? false else { return [:] }
        leaving = all
        (times, since) = ([:], nil)
        return leaving
    }

    /// Drops the times that ``due(at:)`` returned, which are stored now.
    mutating func forgetWritten() { leaving = [:] }
}

/// A device as shown to its owner and to services.
public struct ListedDevice: Sendable {
    /// The device.
    public let device: Device
    /// When the last request with its token came, whatever its outcome; nil for never.
    public let lastHeard: Timestamp?
}

/// Stores when a device sent its last request.
struct StoreLastRequest: Action {
    let device: DeviceNumber
    let time: Timestamp

    /// Skips a device that was removed in the meantime, or seen later by another machine.
    func apply(to draft: inout Draft) throws {
        try draft.requireService()
        guard let known = draft.state.people.devices[device], known.lastHeard.map({ $0 < time }) ?? true else {
            return
        }
        try draft.write(.devices(.contact(device, at: time)))
    }
}

extension Engine {
    /// Records that a request came with a device's token.
    ///
    /// It is stored every ten minutes, so that requests cost no write; without a replicated log, also at shutdown.
    public func recordRequest(_ device: DeviceNumber, at now: Timestamp) {
        lastHeard.withLock { $0.recordRequest(device, at: now) }
    }

    /// Returns a person's devices, by id.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func devices(of id: PersonID) throws(Refusal) -> [ListedDevice] {
        try read { state throws(Refusal) in
            guard let person = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return state.people.devices.numbers(of: person).compactMap { number in
                state.people.devices[number].map { entry in
                    // Inside the read, during which no write is published, so that no time is dropped in between.
                    let unwritten = lastHeard.withLock { $0[number] }
                    return ListedDevice(
                        device: entry.device, lastHeard: [unwritten, entry.lastHeard].compactMap(\.self).max())
                }
            }.sorted { $0.device.id < $1.device.id }
        }
    }

    /// Stores when devices sent their last requests, if that is due.
    public func keepLastHeard(dueAt now: Timestamp) async throws {
        let contacts = lastHeard.withLock { $0.due(at: now) }
        guard !contacts.isEmpty else { return }
        let actions = contacts.sorted { $0.key < $1.key }.map { StoreLastRequest(device: $0.key, time: $0.value) }
        _ = try await perform(Batch(actions), by: .service, at: now, of: .maintenance)
        lastHeard.withLock { $0.forgetWritten() }
    }
}
