public import Storage

/// When a place is open, by its own clock.
///
/// Unchanging, and the same object for all places with the same hours in the same zone.
final class Timetable: Sendable {
    let key: Key
    let hours: OpeningHours
    /// nil if nobody knows the zone; then the state is unknown.
    let clock: WallClock?

    init(_ key: Key) {
        self.key = key
        hours = OpeningHours(key.hours)
        clock = key.zone.flatMap(WallClock.of)
    }

    /// What a timetable is made of.
    struct Key: Hashable, Sendable {
        var hours: String
        var zone: String?
    }

    func isOpen(at instant: Timestamp) -> Bool { clock.map { hours.state(at: instant, by: $0) == .open } ?? false }
}

/// Of which instant hours are told in answers.
public struct OpeningQuery: Sendable {
    /// The instant.
    public var instant: Timestamp
    /// Whether only places are wanted that are known to be open then.
    public var isFilter: Bool

    /// A query for hours at an instant; if it is a filter, for places that are open then.
    public init(at instant: Timestamp, isFilter: Bool = false) {
        self.instant = instant
        self.isFilter = isFilter
    }
}

/// What is known of a place's hours at an instant.
public struct HoursNearby: Hashable, Sendable {
    /// The state, and when it changes; unknown if the hours are not understood or the zone is not known.
    public var status: OpeningStatus
    /// Whether the hours are understood.
    public var isUnderstood: Bool
    /// Whether the hours are others on holidays, which are not known.
    public var namesHolidays: Bool

    init(_ timetable: Timetable, at instant: Timestamp) {
        status =
            timetable.clock.map { timetable.hours.status(at: instant, by: $0) }
            ?? OpeningStatus(state: .unknown, change: nil)
        isUnderstood = timetable.hours.isUnderstood
        namesHolidays = timetable.hours.namesHolidays
    }
}

/// The timetables of all places, each held once and as long as a place has it.
struct Timetables: Sendable {
    private var kept: [Timetable.Key: (timetable: Timetable, places: Int)] = [:]

    /// The timetable for one place more.
    mutating func take(_ key: Timetable.Key) -> Timetable {
        if let known = kept[key] {
            kept[key]?.places += 1
            return known.timetable
        }
        let timetable = Timetable(key)
        kept[key] = (timetable, 1)
        return timetable
    }

    /// Gives a timetable back for one place.
    mutating func giveBack(_ key: Timetable.Key) {
        guard let known = kept[key] else { return }
        if known.places == 1 { kept[key] = nil } else { kept[key]?.places -= 1 }
    }
}

extension Gazetteer {
    /// The time zone by which a place's hours are read though it names none: that of the nearest city.
    ///
    /// nil for a place that names its zone, or has no hours or no position.
    public func timezone(guessedFor place: Place) -> String? {
        guard place.timezone == nil, place.hours != nil, let coordinate = place.coordinate else { return nil }
        return city(nearestTo: coordinate).timezone
    }
}
