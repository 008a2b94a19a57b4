internal import HTTPTypes
internal import Synchronization

/// The ids of requests: 32 hexadecimal digits, different for each request of a process, and random from process to process.
package enum RequestID {
    /// The header of an answer that holds the id of its request.
    static let header = "X-Request-Id"
    static let field = HTTPField.Name(header)

    private static let process = UInt64.random(in: .min ... .max)
    private static let count = Atomic(UInt64.random(in: .min ... .max))

    /// The id of another request.
    package static func next() -> String {
        text(process, count.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// The digits of two numbers.
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
