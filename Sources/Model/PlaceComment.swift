/// A comment about a place, without its text, which is read when it is shown.
public struct PlaceComment: Hashable, Sendable {
    /// The internal number, greater than the number of every earlier comment.
    public var number: CommentNumber
    /// The id, unique among comments.
    public var id: CommentID
    /// The number of the place.
    public var place: PlaceNumber
    /// The number of the person who wrote it.
    public var author: PersonNumber
    /// When it was received.
    public var at: Timestamp
    /// When it was last edited; nil for never.
    public var editedAt: Timestamp?
    /// The revision, which grows with each change, like a document's.
    public var revision: Int64

    /// The maximum number of bytes of the text.
    public static let longest = 4_000

    /// Creates a comment received at an instant.
    public init(number: CommentNumber, id: CommentID, place: PlaceNumber, author: PersonNumber, at: Timestamp) {
        self.number = number
        self.id = id
        self.place = place
        self.author = author
        self.at = at
        revision = at.milliseconds
    }
}
