extension HoursRule {
    /// Relates a rule after a comma, or a row of a list, to the rules before it.
    ///
    /// It adds to them, but a rule of fewer days replaces times that overlap with its own. Rules of the same days are
    /// united.
    ///
    /// - Returns: whether it replaces times.
    /// - Throws: ``HoursFault`` if times overlap and neither rule is certainly the exception.
    mutating func join(_ before: [HoursRule], isRow: Bool) throws(HoursFault) -> Bool {
        let others = before.filter { $0.days.mayMeet(days) }
        if isRow, others.isEmpty {
            replace()
            return false
        }
        // A row before may close in August, or on Sundays, what this one opens.
        if isRow, !spans.isEmpty, others.contains(where: \.spans.isEmpty) {
            throw HoursFault("days that an earlier row closes have hours")
        }
        guard !spans.isEmpty, spans.allSatisfy({ $0.state == .open }) else { return false }
        let inForce = others.indices.filter { number in
            !others[(number + 1)...].contains { $0.resetsDays && days.isSome(of: $0.days) }
        }
        let overlapping = inForce.map { others[$0] }.filter { $0.days != days && $0.spans.contains(where: overlaps) }
        guard !overlapping.isEmpty else { return false }
        guard overlapping.allSatisfy({ days.isException(to: $0.days) }) else {
            throw HoursFault("rules for the same day overlap")
        }
        replace()
        return true
    }

    private mutating func replace() {
        link = .override
        resetsDays = resetsDays || spans.contains { $0.state != .closed }
    }

    private func overlaps(_ other: HoursSpan) -> Bool {
        spans.contains { $0.start < other.end && other.start < $0.end }
    }
}

extension HoursDays {
    /// Whether all days are certainly days of the other too.
    func isSome(of other: HoursDays) -> Bool {
        guard other.years.isEmpty || other.years == years, other.weeks.isEmpty || other.weeks == weeks else {
            return false
        }
        if other.weekdays != 0 || !other.someWeekdays.isEmpty, self.weekdays == 0, someWeekdays.isEmpty {
            return false
        }
        let isEveryWeekday = other.weekdays == 0 && other.someWeekdays.isEmpty
        guard isEveryWeekday || weekdays & ~other.weekdays == 0 else { return false }
        guard
            isEveryWeekday
                || someWeekdays.allSatisfy({
                    other.weekdays >> UInt8($0.weekday) & 1 == 1 || other.someWeekdays.contains($0)
                })
        else { return false }
        return other.dates.isEmpty
            || !dates.isEmpty
                && dates.allSatisfy { own in
                    other.dates.contains { own == $0 || own.isInside($0) }
                }
    }

    /// Whether the days are fewer than the other's, or are dates beside weekdays.
    func isException(to other: HoursDays) -> Bool {
        self != other && (other.isWeekly && !isWeekly || isSome(of: other) && !other.isSome(of: self))
    }

    /// Whether the two may have a day in common, judging by years, dates without years and weekdays.
    func mayMeet(_ other: HoursDays) -> Bool {
        if !years.isEmpty, !other.years.isEmpty,
            !years.contains(where: { one in other.years.contains { one.overlaps($0) } })
        {
            return false
        }
        if !dates.isEmpty, !other.dates.isEmpty,
            !dates.contains(where: { one in other.dates.contains { one.mayMeet($0) } })
        {
            return false
        }
        guard someWeekdays.isEmpty, other.someWeekdays.isEmpty else { return true }
        return weekdayBits & other.weekdayBits != 0
    }
}

extension HoursDates {
    /// Whether the range is inside another; false also if that depends on years.
    fileprivate func isInside(_ other: HoursDates) -> Bool {
        guard !dependsOnYears, !other.dependsOnYears, first.inYear <= last.inYear else { return false }
        return other.contains(first.inYear) && other.contains(last.inYear)
            && (other.first.inYear <= other.last.inYear || last.inYear <= other.last.inYear
                || other.first.inYear <= first.inYear)
    }

    fileprivate func mayMeet(_ other: HoursDates) -> Bool {
        dependsOnYears || other.dependsOnYears || contains(other.first.inYear) || other.contains(first.inYear)
    }

    private var dependsOnYears: Bool { first.year != nil || last.year != nil }
}
