internal import Foundation

/// An instant of the simulated time, in milliseconds since 1970 UTC.
package struct SimulatedTime: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (a: SimulatedTime, b: SimulatedTime) -> Bool { a.milliseconds < b.milliseconds }

    package static func + (moment: SimulatedTime, seconds: Double) -> SimulatedTime {
        SimulatedTime(milliseconds: moment.milliseconds + Int64((seconds * 1000).rounded()))
    }

    /// The difference in seconds.
    package static func - (a: SimulatedTime, b: SimulatedTime) -> Double {
        Double(a.milliseconds - b.milliseconds) / 1000
    }
}

extension SimulatedTime {
    /// Parses a time such as `2026-11-20T10:15:00Z`, with or without milliseconds; nil for anything else.
    package init?(rfc3339 text: String) {
        guard text.hasSuffix("Z"), [20, 24].contains(text.utf8.count) else { return nil }
        guard let date = Date(rfc3339: text) else { return nil }
        self.init(date)
    }

    init(_ date: Date) { milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded()) }

    static var now: SimulatedTime { SimulatedTime(.now) }
}

extension Date {
    /// Parses a time in RFC 3339, with or without fractions of a second; nil for anything else.
    init?(rfc3339 text: String) {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fractional)) else {
            return nil
        }
        self = date
    }
}
