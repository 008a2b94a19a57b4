/// A document with the number that stands for it and the revision that grows with each change of it.
public struct Versioned<Value: Sendable>: Sendable {
    /// Stands for the document inside the service: counted from 0, apart for people, places and products.
    public var number: Number<Value>
    /// At least the milliseconds since 1970 of the last change, and more than before it.
    public var revision: Int64
    /// The document as it was last written.
    public var value: Value

    /// A document with its number and revision.
    public init(number: Number<Value>, revision: Int64, value: Value) {
        self.number = number
        self.revision = revision
        self.value = value
    }
}
