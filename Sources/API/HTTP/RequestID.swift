internal import HTTPTypes
internal import Structures
internal import Synchronization

/// Request ids: 32 hexadecimal digits, unique to each request, which do not reveal the number of requests.
///
/// They are hashes of a counter by a random key of the process: a random number each would need a system call.
package enum RequestID {
    /// The header of an answer that holds the id of its request.
    static let header = "X-Request-Id"
    static let field = HTTPField.Name(header)

    private static let key = SipKey(.random(in: .min ... .max), .random(in: .min ... .max))
    private static let count = Atomic<UInt64>(0)

    /// The id of a new request.
    package static func next() -> String {
        let count = count.wrappingAdd(2, ordering: .relaxed).newValue
        return text(key.hash(count), key.hash(count + 1))
    }

    /// Two numbers as hexadecimal digits.
    package static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for index in 0..<32 {
                let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - index % 16 * 4)) & 15
                digits[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 32
        }
    }
}
