internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// A position that a phone sent, converted by each protocol to the units used everywhere else.
struct PhoneFix: Hashable {
    let place: Coordinate
    /// The time of the fix; nil for the time of receipt.
    let time: Timestamp?
    let details: PingDetails
    /// The name of a value that may be its accuracy and is not read.
    var unreadAccuracy: String?

    /// - Throws: ``Unreadable`` for coordinates out of range.
    init(
        latitude: Double, longitude: Double, time: Timestamp?, accuracy: Double?, altitude: Double?, speed: Double?,
        heading: Double?, battery: Double?
    ) throws(Unreadable) {
        do { place = try Coordinate(latitude: latitude, longitude: longitude) } catch { throw Unreadable() }
        self.time = time
        var details = PingDetails()
        // 0 means unknown for receivers, and an error radius beyond the maximum still indicates poor accuracy.
        details.accuracy = accuracy.flatMap { $0 > 0 ? Self.kept(min($0, 1e8), 0...1e8) : nil }
        details.altitude = Self.kept(altitude, -20_000...1e7)
        details.speed = Self.kept(speed, 0...1e6)
        details.heading = Self.kept(heading, 0...360)
        details.battery = Self.kept(battery, 0...1)
        self.details = details
    }

    /// A value within its range; others, such as -1 for unknown, are dropped.
    private static func kept(_ value: Double?, _ range: ClosedRange<Double>) -> Float? {
        // Adding zero turns negative zero into zero.
        value.flatMap { range.contains($0) ? Float($0) + 0 : nil }
    }

    func report(of person: PersonID, from device: DeviceID) -> PingReport {
        var report = PingReport(person: person, device: device.text, time: time, place: place)
        report.details = details
        return report
    }
}

/// The result of parsing a request by a protocol.
struct PhoneReading {
    var fixes: [PhoneFix] = []
    /// Parts that are not positions and need not be: other messages, logs, receivers without a fix.
    var skipped = 0
    /// Parts that should be positions and cannot be parsed.
    var unreadable = 0
    /// The names of parameters that hold a time but are not read as one; their positions are unreadable.
    var unreadTimes: [String] = []

    /// The names of parameters that may hold an accuracy but are not read as one.
    var unreadAccuracies: [String] { fixes.compactMap(\.unreadAccuracy) }

    /// The number of unreadable parts whose time is wrong by a rollover of the GPS week.
    var rolledOver = 0

    /// The reading in which positions with a time 1024 weeks ago are unreadable.
    func withoutRollovers(at now: Timestamp) -> PhoneReading {
        var reading = self
        reading.fixes.removeAll { fix in fix.time.map { WeekRollover.isLikely($0, at: now) } ?? false }
        reading.rolledOver = fixes.count - reading.fixes.count
        reading.unreadable += reading.rolledOver
        return reading
    }

    /// Adds the result of one part; nil for a part that is not a position.
    mutating func take(_ read: () throws(Unreadable) -> PhoneFix?) {
        do throws(Unreadable) {
            if let fix = try read() { fixes.append(fix) } else { skipped += 1 }
        } catch {
            unreadable += 1
            if let name = error.unreadTime { unreadTimes.append(name) }
        }
    }

    /// Parses a body with `read`; returns nil if it is not JSON.
    ///
    /// - Throws: ``FormError`` for a body beyond the limits, because a phone discards what is acknowledged.
    static func json<Value>(_ read: () throws(FormError) -> Value?) throws(FormError) -> Value? {
        do throws(FormError) { return try read() } catch {
            guard error.code != .bodyTooLarge else { throw error }
            return nil
        }
    }

    /// The reading of an invalid body.
    static let nothing = PhoneReading(unreadable: 1)
}

/// A part should be a position and cannot be parsed.
struct Unreadable: Error {
    /// The name of a parameter that holds a time but is not read as one.
    var unreadTime: String?
}
