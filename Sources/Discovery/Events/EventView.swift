public import Model

/// An event as a caller sees it.
public struct EventView: Sendable {
    /// The cursor after this event.
    public let number: Int64
    /// The time of the event.
    public let at: Timestamp
    /// The type of the event.
    public let type: EventType
    public let person, other: PersonID?
    /// The place, group, fence or link that it is about.
    public let subject: AnyID?
    /// The product of a stock event.
    public let product: ProductID?
    /// Whether the person crossed the fence between two fixes.
    public let isThrough: Bool
    /// The note of the fence.
    public internal(set) var note: String?
    /// For a fence that watches a friend, the precision at which the friend was visible.
    public let precision: Precision?
    /// The current position in a ``EventType/pingMoved`` event, at the visible precision; nil for none any longer.
    public let position: Position?
}
