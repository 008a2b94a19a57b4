internal import Discovery
package import Model

extension PingReport {
    /// Reads a ping, whose person is `own` by default.
    package init?(_ fields: inout Fields, of own: PersonID? = nil) {
        let person: PersonID? = fields.has("person") ? fields.id("person") : own ?? fields.id("person")
        let device = fields.text("device", longest: PingRanges.longestDevice)
        let time = fields.time("t")
        // A row of the past would become the present position.
        if fields.isLeftEmpty("t") {
            fields.fail("t", .required, "is empty; leave the column out for the present time")
        }
        let place = fields.requiredCoordinate()
        var details = PingDetails()
        details.accuracy = fields.number("accuracy_m", PingRanges.accuracy).map(Float.init)
        details.altitude = fields.number("altitude_m", PingRanges.altitude).map(Float.init)
        details.speed = fields.number("speed_mps", PingRanges.speed).map(Float.init)
        details.heading = fields.number("heading", PingRanges.heading).map(Float.init)
        details.battery = fields.number("battery", PingRanges.battery).map(Float.init)
        fields.refuseOthers()
        guard let person, let place, fields.errors.isEmpty else { return nil }
        self.init(person: person, device: device ?? "", time: time, place: place)
        self.details = details
    }
}
