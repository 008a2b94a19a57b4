/// What can be true of a ping beyond time and place.
enum PingRanges {
    /// In metres.
    static let accuracy = 0...1e8
    /// In metres.
    static let altitude = -20_000...1e7
    /// In metres a second.
    static let speed = 0...1e6
    /// In degrees.
    static let heading = 0.0...360
    /// Charge.
    static let battery = 0.0...1
    /// The bytes of the name of a device.
    static let longestDevice = 255
}
