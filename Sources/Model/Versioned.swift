/// An immutable version of a document, with its number and revision.
///
/// It is shared by reference: both copies of the live state have each document once.
public final class Versioned<Value: Sendable>: Sendable {
    /// The internal number: counted from 0 for each type of document.
    public let number: Number<Value>
    /// The revision: at least the milliseconds since 1970 of the last change, and greater than the previous revision.
    public let revision: Int64
    /// The content of this version.
    public let value: Value

    /// Creates a version.
    public init(number: Number<Value>, revision: Int64, value: Value) {
        self.number = number
        self.revision = revision
        self.value = value
    }

    /// The bytes of memory of the object with its value, except memory that the value refers to.
    package var bytes: Int { 32 + MemoryLayout<Value>.stride }

    /// The next version after a change received at an instant.
    package func changed(at received: Timestamp, _ change: (inout Value) -> Void) -> Versioned {
        var value = value
        change(&value)
        return Versioned(number: number, revision: max(revision + 1, received.milliseconds), value: value)
    }
}
