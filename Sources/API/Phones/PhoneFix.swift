internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// A position that a phone sent, in the units that everything else here has: each protocol converts at the door.
struct PhoneFix: Hashable {
    let place: Coordinate
    /// When it was fixed; nil for the time of receipt.
    let time: Timestamp?
    let details: PingDetails

    /// - Throws: ``Unreadable`` for a pair that is no place on Earth.
    init(
        latitude: Double, longitude: Double, time: Timestamp?, accuracy: Double?, altitude: Double?, speed: Double?,
        heading: Double?, battery: Double?
    ) throws(Unreadable) {
        do { place = try Coordinate(latitude: latitude, longitude: longitude) } catch { throw Unreadable() }
        self.time = time
        var details = PingDetails()
        // Receivers say 0 when they do not know, and an error radius beyond what can be kept is still a poor one.
        details.accuracy = accuracy.flatMap { $0 > 0 ? Self.kept(min($0, 1e8), 0...1e8) : nil }
        details.altitude = Self.kept(altitude, -20_000...1e7)
        details.speed = Self.kept(speed, 0...1e6)
        details.heading = Self.kept(heading, 0...360)
        details.battery = Self.kept(battery, 0...1)
        self.details = details
    }

    /// A value that can be; what stands for one that is not known, such as -1, is left out.
    private static func kept(_ value: Double?, _ range: ClosedRange<Double>) -> Float? {
        // The sum turns negative zero into zero.
        value.flatMap { range.contains($0) ? Float($0) + 0 : nil }
    }

    func report(of person: PersonID, from device: DeviceID) -> PingReport {
        var report = PingReport(person: person, device: device.text, time: time, place: place)
        report.details = details
        return report
    }
}

/// What a protocol found in a request.
struct PhoneReading {
    var fixes: [PhoneFix] = []
    /// What is no position and need not be one: messages of other kinds, logs, a receiver without a fix.
    var skipped = 0
    /// What should be a position and cannot be understood.
    var unreadable = 0

    /// Takes what `read` makes of one part, nil for what is no position.
    mutating func take(_ read: () throws(Unreadable) -> PhoneFix?) {
        do throws(Unreadable) {
            if let fix = try read() { fixes.append(fix) } else { skipped += 1 }
        } catch { unreadable += 1 }
    }

    /// What `read` makes of a body; nil for what is not JSON.
    ///
    /// - Throws: ``FormError`` for more than is read: a phone forgets what is acknowledged.
    static func json<Value>(_ read: () throws(FormError) -> Value?) throws(FormError) -> Value? {
        do throws(FormError) { return try read() } catch {
            guard error.code != .bodyTooLarge else { throw error }
            return nil
        }
    }

    /// The reading of a body that means nothing.
    static let nothing = PhoneReading(unreadable: 1)
}

/// Something should be a position and cannot be understood.
struct Unreadable: Error {}
