internal import Structures

/// The event numbers sent to a caller, which serve as cursors.
///
/// Services get the log's consecutive numbers. To a person their growth would reveal events that are not visible, such
/// as the moves of a person who shares with no one. So a person gets numbers that are permuted by a key of that person.
public struct EventNumbers: Sendable {
    /// Half the bits of a number: 52 bits are exact in a double.
    private static let half: UInt64 = 26
    private static let mask: UInt64 = 1 << half - 1
    /// Rounds of a Feistel network, of which four are a pseudorandom permutation.
    ///
    /// Source: Luby and Rackoff, "How to construct pseudorandom permutations from pseudorandom functions", 1988,
    /// https://doi.org/10.1137/0217022.
    private static let rounds: Range<UInt64> = 0..<6

    /// The key of the permutation; nil for the log's numbers.
    private let key: SipKey?

    init(_ key: SipKey?) { self.key = key }

    /// Whether the numbers hide the volume of events.
    var areHidden: Bool { key != nil }

    /// Encrypts an event's number; 0, before all events, stays 0.
    public func shown(_ number: Int64) -> Int64 { exchanged(number, Self.forward) }

    /// Decrypts a number; one that was never sent gives a number of no event.
    public func number(_ shown: Int64) -> Int64 { exchanged(shown, Self.backward) }

    private func exchanged(_ number: Int64, _ step: (UInt64, SipKey) -> UInt64) -> Int64 {
        guard let key, (1..<1 << (2 * Self.half)).contains(number) else { return number }
        var other = UInt64(number)
        // Cycle walking skips 0.
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

extension Engine {
    /// The event numbers of a caller.
    public func eventNumbers(for caller: Caller) -> EventNumbers {
        guard case .person(let id) = caller, defences.hidesEventNumbers else { return EventNumbers(nil) }
        return EventNumbers(order.derived(for: "numbers of events for \(id)"))
    }
}
