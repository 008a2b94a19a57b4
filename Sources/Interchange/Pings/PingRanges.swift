/// What can be true of a ping beyond time and place.
package enum PingRanges {
    /// In metres.
    package static let accuracy = 0...1e8
    /// In metres.
    package static let altitude = -20_000...1e7
    /// In metres a second.
    package static let speed = 0...1e6
    /// In degrees.
    package static let heading = 0.0...360
    /// Charge.
    package static let battery = 0.0...1
    /// The bytes of the name of a device.
    package static let longestDevice = 255
}
