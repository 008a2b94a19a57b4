internal import Structures

/// The numbers by which a caller is told events, and goes on after them.
///
/// To services they are those of the log, which grow by one. How far they grow would tell a person how much happens of which the
/// person is not told: in a small service, that somebody moves who shows nobody where they are. So a person knows each event by
/// another number, in an order of nobody's that is the person's own.
public struct EventNumbers: Sendable {
    /// Half the bits of a number: all of it is exact where numbers are doubles.
    private static let half: UInt64 = 26
    private static let mask: UInt64 = 1 << half - 1
    /// Those of a Feistel network, of which four make a permutation that looks like chance.
    ///
    /// Source: Luby and Rackoff, "How to construct pseudorandom permutations from pseudorandom functions", 1988,
    /// https://doi.org/10.1137/0217022.
    private static let rounds: Range<UInt64> = 0..<6

    /// By what the order is made; nil for that of the log.
    private let key: SipKey?

    init(_ key: SipKey?) { self.key = key }

    /// Whether the numbers tell nothing of how much happens.
    var areHidden: Bool { key != nil }

    /// What stands for an event; 0, before all events, for itself.
    public func told(_ number: Int64) -> Int64 { exchanged(number, Self.forward) }

    /// The event that a number stands for; some that never was if it stands for none.
    public func number(_ told: Int64) -> Int64 { exchanged(told, Self.backward) }

    private func exchanged(_ number: Int64, _ step: (UInt64, SipKey) -> UInt64) -> Int64 {
        guard let key, (1..<1 << (2 * Self.half)).contains(number) else { return number }
        var other = UInt64(number)
        // Where 0 is in the way the next one of the cycle stands for it.
        repeat { other = step(other, key) } while other == 0
        return Int64(other)
    }

    private static func forward(_ number: UInt64, _ key: SipKey) -> UInt64 {
        let (left, right) = rounds.reduce((number >> half, number & mask)) { halves, round in
            (halves.1, halves.0 ^ key.hash(round << half | halves.1) & mask)
        }
        return left << half | right
    }

    private static func backward(_ number: UInt64, _ key: SipKey) -> UInt64 {
        let (left, right) = rounds.reversed().reduce((number >> half, number & mask)) { halves, round in
            (halves.1 ^ key.hash(round << half | halves.0) & mask, halves.0)
        }
        return left << half | right
    }
}

extension Live {
    /// The numbers by which a caller knows events.
    public func eventNumbers(for caller: Caller) -> EventNumbers {
        guard case .person(let id) = caller, defences.hidesEventNumbers else { return EventNumbers(nil) }
        return EventNumbers(order.derived(for: "numbers of events for \(id)"))
    }
}
