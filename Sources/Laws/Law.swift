/// A property that must hold in every random case.
///
/// Tests check each law with a thousand seeds, `tools/bench laws` with any number.
public struct Law: Sendable {
    /// The law as a sentence.
    public let name: String
    private let check: @Sendable (inout SeededGenerator) throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (inout SeededGenerator) throws -> Void) {
        self.name = name
        self.check = check
    }

    /// Checks the law in one case.
    ///
    /// - Throws: ``Violation`` with the law and the seed that reproduces the case.
    public func check(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        do { try check(&random) } catch { throw Violation(law: name, seed: seed, what: "\(error)") }
    }
}

/// A case in which a law does not hold.
public struct Violation: Error, CustomStringConvertible {
    let law: String
    let seed: UInt64
    let what: String

    /// The law, the seed and the observation.
    public var description: String { "\(law): seed \(seed): \(what)" }
}

/// The observed violation.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Broken(what()) }
}
