internal import Geo
internal import Model

/// Which of the discovery filters a person can match at all, as bits of a signature.
///
/// Bits 0-3 sex, 4-12 relationship, 13-52 year of birth in 40 steps of two (with all before in the first and all after in
/// the last, so that who is very old is not taken for whom most are), 53 unknown year of birth.
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
