package import Cities
package import Discovery
package import Hours
package import Model

/// The members about opening hours besides a place's document.
extension JSONWriter {
    /// A place's document with the interpretation of its hours.
    package mutating func place(_ place: Place, to caller: Caller, _ gazetteer: Gazetteer) {
        self.place(place, to: caller)
        guard let text = place.hours else { return }
        let hours = OpeningHours(text)
        if !hours.isUnderstood { member("hours_understood", false) }
        if hours.namesHolidays { member("hours_on_holidays", "unknown") }
        member("hours_warnings", hours.warnings)
        member("timezone_guessed", gazetteer.timezone(guessedFor: place))
    }

    /// Whether a place is open, if known, and until when; warnings about its hours only if selected.
    package mutating func hours(_ hours: HoursNearby?, of place: Place, _ gazetteer: Gazetteer) {
        guard let hours else { return }
        if !hours.isUnderstood { member("hours_understood", false) }
        if hours.namesHolidays { member("hours_on_holidays", "unknown") }
        if isChosen("hours_warnings") { member("hours_warnings", hours.warnings) }
        member("timezone_guessed", gazetteer.timezone(guessedFor: place))
        switch hours.state {
        case .open: member("open", true)
        case .closed: member("open", false)
        case .unknown: break
        }
        guard wants("opens_at") || wants("closes_at") else { return }
        let status = hours.status
        member("opens_at", status.opensAt)
        member("closes_at", status.closesAt)
    }
}
