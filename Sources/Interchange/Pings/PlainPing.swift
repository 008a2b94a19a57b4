package import Discovery
package import Foundation
internal import Geo
package import Model

/// A ping as received.
package enum PingItem: Equatable {
    /// A valid ping in the form of nearly all pings.
    case report(PingReport)
    /// Anything else, including invalid pings, to be read field by field.
    case other(JSON)

    /// The ping at a JSON pointer of a body, whose person is `own` by default.
    ///
    /// - Throws: ``FormError`` with all errors of the ping.
    package func report(
        at pointer: @autoclosure () -> String, of own: PersonID? = nil
    ) throws(FormError) -> PingReport {
        switch self {
        case .report(let report): return report
        case .other(let json):
            var fields = try Fields(json, at: pointer())
            return try fields.whole { PingReport(&$0, of: own) }
        }
    }
}

extension JSONText {
    /// Passes the pings of a list to `take` one at a time, as ``eachItem(of:in:atMost:_:)`` does with items.
    ///
    /// - Returns: false for a value that is not a list. `take` was then not called.
    package static func eachPing(
        of bytes: Data, atMost mostValues: Int, _ take: (PingItem) throws(FormError) -> Void
    ) throws(FormError) -> Bool {
        try eachItem(of: bytes, atMost: mostValues, reading: { text throws(Fault) in try text.ping() }, take) != nil
    }

    /// Parses one ping that contains at most `mostValues` values.
    ///
    /// - Throws: as ``JSON/init(_:atMost:)``.
    package static func ping(_ bytes: Data, atMost mostValues: Int) throws(FormError) -> PingItem {
        do throws(Fault) {
            return try read(bytes, mostValues) { text throws(Fault) in
                let item = try text.ping()
                try text.end()
                return item
            }
        } catch { throw FormError(error) }
    }

    private mutating func ping() throws(Fault) -> PingItem {
        let start = index
        if let report = plainPing() { return .report(report) }
        index = start
        return .other(try value())
    }

    /// Parses a valid ping of known fields without duplicates; nil for anything else, and then `index` is undefined.
    ///
    /// This fast path reads values directly from the bytes and builds no ``JSON``. It accepts only what
    /// ``PingReport/init(_:)`` accepts.
    private mutating func plainPing() -> PingReport? {
        skipSpace()
        guard skip("{") else { return nil }
        var ping = PlainPing()
        repeat {
            skipSpace()
            guard let name = plainText() else { return nil }
            skipSpace()
            guard skip(":") else { return nil }
            skipSpace()
            guard ping.read(name, from: &self) else { return nil }
            skipSpace()
        } while skip(",")
        return skip("}") ? ping.report : nil
    }
}

/// The fields of a ping read so far.
private struct PlainPing {
    private static let fields: [StaticString] = [
        "person", "lat", "lon", "t", "device", "accuracy_m", "speed_mps", "heading", "altitude_m", "battery",
    ]

    private var person: PersonID?
    private var latitude, longitude: Double?
    private var time: Timestamp?
    private var device: String?
    private var details = PingDetails()
    /// A bit for each field that was read.
    private var seen: UInt16 = 0

    /// The ping; nil if a required field is missing or invalid.
    var report: PingReport? {
        guard let person, let latitude, let longitude,
            let place = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        var report = PingReport(person: person, device: device ?? "", time: time, place: place)
        report.details = details
        return report
    }

    /// Reads the value of a field.
    ///
    /// - Returns: false if the ping must be read field by field.
    mutating func read(_ name: UnsafeBufferPointer<UInt8>, from text: inout JSONText) -> Bool {
        guard let field = Self.fields.firstIndex(where: name.spells), seen & 1 << field == 0 else { return false }
        seen |= 1 << field
        return switch field {
        case 0: take(text.plainText().flatMap { try? PersonID(String(decoding: $0, as: UTF8.self)) }, &person)
        case 1: take(text.plainNumber(), &latitude)
        case 2: take(text.plainNumber(), &longitude)
        case 3: take(text.plainTime(), &time)
        case 4: take(text.plainText(longest: PingRanges.longestDevice), &device)
        case 5: take(text.plainNumber(PingRanges.accuracy), &details.accuracy)
        case 6: take(text.plainNumber(PingRanges.speed), &details.speed)
        case 7: take(text.plainNumber(PingRanges.heading), &details.heading)
        case 8: take(text.plainNumber(PingRanges.altitude), &details.altitude)
        default: take(text.plainNumber(PingRanges.battery), &details.battery)
        }
    }

    private func take<Value>(_ value: Value?, _ field: inout Value?) -> Bool {
        field = value
        return value != nil
    }
}

extension JSONText {
    fileprivate mutating func plainText(longest: Int) -> String? {
        guard let text = plainText(), text.count <= longest else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    fileprivate mutating func plainNumber(_ range: ClosedRange<Double>) -> Float? {
        guard let number = plainNumber(), range.contains(number) else { return nil }
        return Float(number)
    }

    fileprivate mutating func plainTime() -> Timestamp? {
        if let text = plainText() { return Timestamp(rfc3339: String(decoding: text, as: UTF8.self)) }
        return plainNumber().flatMap(Timestamp.init(epoch:))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes spell a word.
    fileprivate func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount, let start = baseAddress else { return false }
        return memcmp(start, word.utf8Start, count) == 0
    }
}
