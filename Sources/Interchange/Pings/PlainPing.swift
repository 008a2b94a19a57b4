package import Discovery
package import Foundation
internal import Geo
package import Model

/// What is sent as a ping.
package enum PingItem: Equatable {
    /// A ping in the form in which nearly all come.
    case report(PingReport)
    /// Anything else, also what is wrong: its fields are to be read one by one.
    case other(JSON)

    /// The ping, which is at a JSON pointer of a body, and of `own` if it names nobody.
    ///
    /// - Throws: ``FormError`` with all that is wrong with it.
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
    /// Gives `take` the pings of a list one after the other, as ``eachItem(of:in:atMost:_:)`` does items.
    ///
    /// - Returns: false for what is no list, of which nothing was taken.
    package static func eachPing(
        of bytes: Data, atMost mostValues: Int, _ take: (PingItem) throws(FormError) -> Void
    ) throws(FormError) -> Bool {
        try eachItem(of: bytes, atMost: mostValues, reading: { text throws(Fault) in try text.ping() }, take) != nil
    }

    /// The ping that bytes are, which has at most so many values in it.
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

    /// A ping of known fields, each at most once and with nothing wrong; nil for anything else, somewhere in which reading ends.
    ///
    /// Its values are taken from the bytes as they stand, and no object is made of them. What is taken is what
    /// ``PingReport/init(_:)`` takes.
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

/// What has been read of a ping.
private struct PlainPing {
    private static let fields: [StaticString] = [
        "person", "lat", "lon", "t", "device", "accuracy_m", "speed_mps", "heading", "altitude_m", "battery",
    ]

    private var person: PersonID?
    private var latitude, longitude: Double?
    private var time: Timestamp?
    private var device: String?
    private var details = PingDetails()
    /// The fields that were read, a bit for each.
    private var seen: UInt16 = 0

    /// Nil if something that it must have is missing or impossible.
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
    /// - Returns: whether it needs no closer look.
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
    /// Whether these bytes are those of a word.
    fileprivate func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount, let start = baseAddress else { return false }
        return memcmp(start, word.utf8Start, count) == 0
    }
}
