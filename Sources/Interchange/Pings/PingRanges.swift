/// The valid ranges of a ping's details.
package enum PingRanges {
    /// Meters.
    package static let accuracy = 0...1e8
    /// Meters.
    package static let altitude = -20_000...1e7
    /// Meters per second.
    package static let speed = 0...1e6
    /// Degrees.
    package static let heading = 0.0...360
    /// Battery charge as a fraction.
    package static let battery = 0.0...1
    /// Maximum size of a device's name, in bytes.
    package static let longestDevice = 255
}
