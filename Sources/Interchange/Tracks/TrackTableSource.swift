/// The program that wrote a table of positions, whose units differ from those that the names suggest.
enum TrackTableSource: Sendable {
    case other
    /// Traccar's report: speed in knots, and 0 for an unknown accuracy.
    case traccar
    /// GPSLogger's log: battery in percent.
    case gpslogger

    private static let metersPerSecondOfKnot = 1852.0 / 3600

    init(columns: some Collection<String>) {
        if columns.contains("fixtime"), columns.contains("deviceid") {
            self = .traccar
        } else if columns.contains("ageofdgpsdata"), columns.contains("battery") {
            self = .gpslogger
        } else {
            self = .other
        }
    }

    /// Whether a row is a position: Traccar repeats the last one with `valid` as false.
    func isFix(_ members: [String: JSON]) -> Bool { self != .traccar || members["valid"] != .text("false") }

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
