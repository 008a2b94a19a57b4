public import Model

/// An event as a caller is told of it.
public struct ToldEvent: Sendable {
    /// The number by which a reader goes on after it.
    public let number: Int64
    /// When it happened.
    public let at: Timestamp
    /// What kind of event it is.
    public let type: EventType
    public let person, other: PersonID?
    /// The place, group, fence or link that it is about.
    public let subject: AnyID?
    /// Of stock, the product.
    public let product: ProductID?
    /// Of a fence, whether the person went through between two fixes.
    public let isThrough: Bool
    /// What was noted of the fence.
    public internal(set) var note: String?
    /// Of a friend's fence, how exactly the friend was shown where the person was.
    public let precision: Precision?
    /// Of ``EventType/pingMoved`` where the person is now, as exactly as the caller may know it; nil for nowhere any more.
    public let position: Position?
}
