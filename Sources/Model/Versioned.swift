/// A document as it was written, with what tells it apart from those before and after it.
///
/// It never changes, so whoever holds it points to it: both copies of the live picture have each document once.
public final class Versioned<Value: Sendable>: Sendable {
    /// Stands for the document inside the service: counted from 0, apart for people, places and products.
    public let number: Number<Value>
    /// At least the milliseconds since 1970 of the last change, and more than before it.
    public let revision: Int64
    /// The document as it was last written.
    public let value: Value

    /// A document with its number and revision.
    public init(number: Number<Value>, revision: Int64, value: Value) {
        self.number = number
        self.revision = revision
        self.value = value
    }

    /// The bytes of memory of itself, with its value but for what that points to.
    package var bytes: Int { 32 + MemoryLayout<Value>.stride }

    /// The document after a change that was received at an instant.
    package func changed(at received: Timestamp, _ change: (inout Value) -> Void) -> Versioned {
        var value = value
        change(&value)
        return Versioned(number: number, revision: max(revision + 1, received.milliseconds), value: value)
    }
}
