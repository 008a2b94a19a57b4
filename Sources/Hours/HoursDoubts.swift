extension HoursParser {
    /// Refuses times without days beside days that may be theirs, and days below dates that may be their heading.
    ///
    /// `Tu 09:00-12:00; 13:00-18:30` means every day by the specification, but never by intention.
    func refuseUndated(_ draft: Draft, _ number: Int) throws(HoursFault) {
        if number > 0, drafts[number - 1].isDangling, !drafts[number - 1].days.isWeekly,
            draft.days.isWeekly, !draft.days.isEveryDay
        {
            throw HoursFault("dates without times may be a heading of the days after them")
        }
        guard draft.link != .fallback, draft.hasTimes, !draft.isHoliday, draft.state ?? .open == .open,
            draft.days.isEveryDay
        else { return }
        if drafts[..<number].contains(where: { !$0.days.isEveryDay }) {
            throw HoursFault("times without days follow others with days")
        }
        if drafts[number...].dropFirst().contains(where: \.isDangling) {
            throw HoursFault("times without days may belong to the days after them")
        }
    }
}
