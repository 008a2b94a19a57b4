internal import Geo
internal import Model

/// A signature of the discovery filters that a person can match.
///
/// Bits 0-3 are sex, 4-12 relationship, 13-52 year of birth in 40 steps of two, 53 unknown year of birth. The first and
/// last steps also hold all earlier and later years, so that very old people do not share a bit with most others.
struct StrangerSignature {
    private(set) var bits: UInt64

    init(_ person: Person) {
        bits = Self.bit(of: person.sex) | Self.bit(of: person.relationship)
        bits |= person.born.map { Self.bit(ofYear: $0.year) } ?? 1 << 53
    }

    static func bit(of sex: Sex?) -> UInt64 { 1 << UInt64(sex.flatMap(Sex.allCases.firstIndex) ?? 3) }

    static func bit(of relationship: Relationship?) -> UInt64 {
        1 << UInt64(4 + (relationship.flatMap(Relationship.allCases.firstIndex) ?? 8))
    }

    static func bit(ofYear year: Int) -> UInt64 { 1 << UInt64(13 + min(max((year - 1940) / 2, 0), 39)) }
}
