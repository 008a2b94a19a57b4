public import Geo

/// A document with the number that stands for it and the revision that grows with each change of it.
public struct Record<Value: Sendable>: Sendable {
    public var number: Int32
    public var revision: Int64
    public var value: Value

    public init(number: Int32, revision: Int64, value: Value) {
        self.number = number
        self.revision = revision
        self.value = value
    }
}

/// One change of the world: what the storage writes and the live picture follows, alike.
///
/// People, places and products are named by their numbers, which are never given twice while the service runs.
public enum Change: Sendable {
    case person(Record<Person>)
    case personDeleted(Int32)
    case ping(StoredPing)
    /// The cell by which strangers may find a person who never sent a position.
    case homeCell(person: Int32, CubeCell?)
    case friendshipAsked(by: Int32, of: Int32, at: Timestamp)
    case friendshipMade(Int32, Int32, at: Timestamp)
    /// The end of a friendship or of a request, whoever asked.
    case friendshipEnded(Int32, Int32)
    case blocked(by: Int32, Int32, at: Timestamp)
    case unblocked(by: Int32, Int32)
    case decided(by: Int32, about: Int32, likes: Bool, at: Timestamp)
    case undecided(by: Int32, about: Int32)
    case place(Record<Place>)
    case placeDeleted(Int32)
    case product(Record<Product>)
    case productDeleted(Int32)
    case stock(store: Int32, product: Int32, price: Money?, sizes: [SizeQuantity])
    case stockDeleted(store: Int32, product: Int32)
}
