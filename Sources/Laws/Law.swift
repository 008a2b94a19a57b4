/// Something that must hold whatever the dice say: a property, checked on one random case after another.
///
/// The test run throws each law a thousand times, `tools/bench laws` as often as one likes.
public struct Law: Sendable {
    /// The law as a sentence.
    public let name: String
    private let check: @Sendable (inout Dice) throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (inout Dice) throws -> Void) {
        self.name = name
        self.check = check
    }

    /// Checks the law on one case.
    ///
    /// - Throws: ``Violation`` that names the law and the seed by which the case can be thrown again.
    public func check(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        do { try check(&dice) } catch { throw Violation(law: name, seed: seed, what: "\(error)") }
    }
}

/// A case in which a law does not hold.
public struct Violation: Error, CustomStringConvertible {
    let law: String
    let seed: UInt64
    let what: String

    /// The law, the seed and what was seen.
    public var description: String { "\(law): seed \(seed): \(what)" }
}

/// What was expected and what was seen instead.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Broken(what()) }
}
