internal import Laws

/// The profile of a person of the crowd.
struct Profile: Sendable {
    private static let names = [
        "Ada", "Aitana", "Amal", "Bea", "Chen", "Diego", "Elif", "Farid", "Grace", "Hana", "Igor", "Ines", "Jamal",
        "Jun", "Kofi", "Lena", "Luz", "Mei", "Nadia", "Noa", "Olu", "Paz", "Priya", "Quim", "Ravi", "Rosa", "Sami",
        "Tariq", "Uma", "Vera", "Wen", "Yara", "Yusuf", "Zoe",
    ]
    /// Shares of the crowd.
    private static let minors = 0.03
    private static let discoverable = 0.7
    private static let exact = 0.9

    let name: String
    let born: String
    let sex: String
    let relationship: String
    let isAdult: Bool
    let isDiscoverable: Bool
    /// Whether friends may see the exact position.
    let sharesExactly: Bool

    init(of person: Int, seed: UInt64, in year: Int) {
        var random = SeededGenerator(seed: seed, person: person, .person)
        name = Self.names[random.index(below: Self.names.count)]
        isAdult = !random.chance(Self.minors)
        let age = isAdult ? 20 + random.index(below: 50) : 12
        born = "\(year - age)-0\(1 + random.index(below: 9))-\(10 + random.index(below: 18))"
        sex = random.chance(0.5) ? "female" : "male"
        relationship = random.chance(0.6) ? "single" : "married"
        isDiscoverable = random.chance(Self.discoverable)
        sharesExactly = random.chance(Self.exact)
    }
}
