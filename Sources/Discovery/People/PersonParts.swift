internal import Model

/// The parts of a person's document that decide privacy and retention; a write keeps the parts that it omits.
///
/// So a profile sent without them, such as by another service's table, reveals nothing more than before. The city is
/// among them: it is shown as the place of people who share no more than a city, or have no position.
public struct PersonParts: OptionSet, Codable, Hashable, Sendable {
    /// A bit for each part.
    public let rawValue: UInt16

    /// The parts whose bits are set.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// ``Person/city``.
    public static let city = PersonParts(rawValue: 1 << 0)
    /// ``Person/born``.
    public static let born = PersonParts(rawValue: 1 << 1)
    /// ``Person/isDiscoverable``.
    public static let discoverable = PersonParts(rawValue: 1 << 2)
    /// ``Person/isSearchable``.
    public static let searchable = PersonParts(rawValue: 1 << 3)
    /// ``Person/isSearchableByEmail``.
    public static let searchableByEmail = PersonParts(rawValue: 1 << 4)
    /// ``Sharing/precision``.
    public static let precision = PersonParts(rawValue: 1 << 5)
    /// ``Sharing/pausedUntil``.
    public static let pause = PersonParts(rawValue: 1 << 6)
    /// ``Sharing/timetable``.
    public static let timetable = PersonParts(rawValue: 1 << 7)
    /// ``Sharing/zones``.
    public static let zones = PersonParts(rawValue: 1 << 8)
    /// ``ThrottleOverride/distance``.
    public static let throttleDistance = PersonParts(rawValue: 1 << 9)
    /// ``ThrottleOverride/interval``.
    public static let throttleInterval = PersonParts(rawValue: 1 << 10)
    /// ``Person/retention``.
    public static let retention = PersonParts(rawValue: 1 << 11)
    /// ``Sharing/alerts``.
    public static let alerts = PersonParts(rawValue: 1 << 12)
    /// ``Person/tokensNotBefore``.
    public static let tokensNotBefore = PersonParts(rawValue: 1 << 13)
}

extension Person {
    /// Returns the document with some parts taken from another document.
    func keeping(_ parts: PersonParts, of old: Person) -> Person {
        var person = self
        if parts.contains(.city) { person.city = old.city }
        if parts.contains(.born) { person.born = old.born }
        if parts.contains(.discoverable) { person.isDiscoverable = old.isDiscoverable }
        if parts.contains(.searchable) { person.isSearchable = old.isSearchable }
        if parts.contains(.searchableByEmail) { person.isSearchableByEmail = old.isSearchableByEmail }
        if parts.contains(.precision) { person.sharing.precision = old.sharing.precision }
        if parts.contains(.pause) { person.sharing.pausedUntil = old.sharing.pausedUntil }
        if parts.contains(.timetable) { person.sharing.timetable = old.sharing.timetable }
        if parts.contains(.zones) { person.sharing.zones = old.sharing.zones }
        if parts.contains(.alerts) { person.sharing.alerts = old.sharing.alerts }
        if parts.contains(.throttleDistance) { person.throttle.distance = old.throttle.distance }
        if parts.contains(.throttleInterval) { person.throttle.interval = old.throttle.interval }
        if parts.contains(.retention) { person.retention = old.retention }
        if parts.contains(.tokensNotBefore) { person.tokensNotBefore = old.tokensNotBefore }
        return person
    }
}
