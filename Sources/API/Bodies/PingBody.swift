internal import Discovery
internal import Storage

extension PingReport {
    /// Reads a ping.
    init?(_ fields: inout Fields) {
        let person = fields.id("person")
        let device = fields.text("device", longest: 255)
        let time = fields.time("t")
        let place = fields.requiredCoordinate()
        var details = PingDetails()
        details.accuracy = fields.number("accuracy_m", 0...1e8).map(Float.init)
        details.altitude = fields.number("altitude_m", -20_000...1e7).map(Float.init)
        details.speed = fields.number("speed_mps", 0...1e6).map(Float.init)
        details.heading = fields.number("heading", 0...360).map(Float.init)
        details.battery = fields.number("battery", 0...1).map(Float.init)
        fields.refuseOthers()
        guard let person, let place, fields.errors.isEmpty else { return nil }
        self.init(person: person, device: device ?? "", time: time, place: place)
        self.details = details
    }
}
