internal import Foundation

/// The program that wrote a table or list of positions, whose units differ from those that the names suggest.
enum TrackTableSource: Sendable {
    case other
    /// Traccar's report or API: speed in knots, and 0 for an unknown accuracy.
    case traccar
    /// GPSLogger's log: battery in percent.
    case gpslogger

    private static let metersPerSecondOfKnot = 1852.0 / 3600

    init(columns: some Collection<String>) {
        let ofTraccar = ["deviceid", "devicetime", "servertime", "protocol", "valid"]
        if columns.contains("fixtime"), columns.contains(where: ofTraccar.contains) {
            self = .traccar
        } else if columns.contains("ageofdgpsdata"), columns.contains("battery") {
            self = .gpslogger
        } else {
            self = .other
        }
    }

    /// Excel writes the words of other languages.
    private static let falsehoods: Set = ["false", "0", "no", "f", "no fix", "invalid", "falsch", "falso", "faux"]

    /// Whether a row is a position: Traccar, for one, repeats the last one with `valid` as false.
    static func isFix(_ members: [String: JSON]) -> Bool {
        switch members["valid"] {
        case .flag(let flag)?: flag
        case .number(let number)?: number != 0
        case .text(let text)?: !falsehoods.contains(text.trimmingCharacters(in: .whitespaces).lowercased())
        case .null?, .list?, .object?, nil: true
        }
    }

    /// Converts the values of a row to the units of tracks.
    func convert(_ point: inout TrackPoint) {
        switch self {
        case .other: break
        case .traccar:
            point.speed = point.speed.map { $0 * Self.metersPerSecondOfKnot }
            if point.accuracy == 0 { point.accuracy = nil }
        case .gpslogger: point.battery = point.battery.map { $0 / 100 }
        }
    }
}
