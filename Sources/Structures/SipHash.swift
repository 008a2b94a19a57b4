/// SipHash-2-4: a fast keyed hash that cannot be predicted without the key.
///
/// Swift's own `Hasher` cannot be given a key. Source: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input
/// PRF", INDOCRYPT 2012, https://doi.org/10.1007/978-3-642-34931-7_28.
public struct SipKey: Hashable, Sendable {
    private let k0, k1: UInt64

    package init(_ k0: UInt64, _ k1: UInt64) {
        self.k0 = k0
        self.k1 = k1
    }

    /// - Precondition: at least 16 bytes.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count >= 16, "a key has 16 bytes")
        self.init(Self.word(bytes, 0, 8), Self.word(bytes, 8, 8))
    }

    /// Derives the key for a purpose, which reveals nothing about this key or the keys for other purposes.
    package func derived(for purpose: String) -> SipKey {
        let bytes = Array(purpose.utf8)
        return SipKey(hash([0] + bytes), hash([1] + bytes))
    }

    package func hash(_ number: UInt64) -> UInt64 {
        var state = State(k0, k1)
        state.absorb(number)
        return state.finished(with: 8 << 56)
    }

    package func hash(_ bytes: [UInt8]) -> UInt64 {
        var state = State(k0, k1)
        let whole = bytes.count / 8 * 8
        for start in stride(from: 0, to: whole, by: 8) { state.absorb(Self.word(bytes, start, 8)) }
        return state.finished(with: Self.word(bytes, whole, bytes.count - whole) | UInt64(bytes.count & 0xff) << 56)
    }

    /// Up to eight bytes, little endian.
    private static func word(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        init(_ k0: UInt64, _ k1: UInt64) {
            v0 = k0 ^ 0x736f_6d65_7073_6575
            v1 = k1 ^ 0x646f_7261_6e64_6f6d
            v2 = k0 ^ 0x6c79_6765_6e65_7261
            v3 = k1 ^ 0x7465_6462_7974_6573
        }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finished(with last: UInt64) -> UInt64 {
            absorb(last)
            v2 ^= 0xff
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = Self.rotated(v1, 13) ^ v0
            v0 = Self.rotated(v0, 32)
            v2 &+= v3
            v3 = Self.rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = Self.rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = Self.rotated(v1, 17) ^ v2
            v2 = Self.rotated(v2, 32)
        }

        private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
    }
}
