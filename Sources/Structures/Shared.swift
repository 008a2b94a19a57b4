/// An unchanging value that both copies of the live picture point to, so that it is held once.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}

extension ContiguousArray {
    /// Gives a copy memory of its own now, rather than at its first change, when somebody waits for that.
    package mutating func makeUnique() { withUnsafeMutableBufferPointer { _ in } }
}
