internal import CercaClient
internal import Foundation
internal import Geo

/// The final verification: compares every stored history with the acknowledged positions and with the true track.
struct Accounts: Sendable {
    /// The errors of stored tracks relative to the true ones.
    struct Errors: Sendable {
        /// The distance of the true position at each instant from the last position stored before it.
        var inTime = TrackError()
        /// The distance of the true positions from the nearest point of the stored line.
        var asGeometry = TrackError()

        mutating func add(_ other: Errors) {
            inTime.add(other.inTime)
            asGeometry.add(other.asGeometry)
        }
    }

    private static let readers = 16

    let plan: CrowdPlan
    let service: CercaClient
    let tally: Tally

    func settle(_ members: [Member]) async -> Errors {
        await withTaskGroup(of: Errors.self) { group in
            for reader in 0..<Self.readers {
                group.addTask {
                    var errors = Errors()
                    for index in stride(from: reader, to: members.count, by: Self.readers) {
                        let member = members[index]
                        guard let stored = await history(of: member) else { continue }
                        errors.add(Self.errors(of: stored, on: plan.journey(of: member.number)))
                    }
                    return errors
                }
            }
            return await group.reduce(into: Errors()) { $0.add($1) }
        }
    }

    /// The stored positions of a person after their check; nil if they could not be read.
    func history(of member: Member) async -> [ThrottleModel.Point]? {
        let message = Request.history.message(of: member.number, in: plan.names)
        let due = ContinuousClock.now
        let rows: [CercaClient.StoredPing]
        do {
            rows = try await service.ask(message, for: CercaClient.Page<CercaClient.StoredPing>.self).items
        } catch {
            tally.fail(error)
            return nil
        }
        tally.answered(.histories, after: due.duration(to: .now))
        let stored = rows.compactMap { row -> ThrottleModel.Point? in
            guard let place = try? Coordinate(latitude: row.lat, longitude: row.lon) else { return nil }
            let fix = Fix(time: SimulatedTime(row.t), place: place)
            return ThrottleModel.Point(fix: fix, isSuspect: row.suspect ?? false)
        }
        if member.isUncertain {
            tally.skip(.histories)
        } else {
            let fault =
                stored.count == rows.count
                ? Checker.history(stored, expected: member.model.points) : "an invalid place or time"
            tally.check(.histories, fault, message)
        }
        return stored
    }

    /// The errors at each instant of a fix, from the first stored position on.
    static func errors(of stored: [ThrottleModel.Point], on journey: Journey) -> Errors {
        var journey = journey
        var errors = Errors()
        let points = stored.filter { !$0.isSuspect }.map(\.fix)
        let line = StoredLine(points.map(\.place))
        var index = -1
        while let instant = journey.next() {
            while index + 1 < points.count, points[index + 1].time <= instant.time { index += 1 }
            guard index >= 0, let metres = line.distance(to: instant.place) else { continue }
            errors.inTime.add(Geodesic.distance(from: points[index].place, to: instant.place))
            errors.asGeometry.add(metres)
        }
        return errors
    }
}
