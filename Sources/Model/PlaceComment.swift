/// What somebody wrote about a place, without the words, which are read when they are shown.
public struct PlaceComment: Hashable, Sendable {
    /// Stands for the comment inside the service: greater than that of every comment made before.
    public var number: CommentNumber
    /// The id, unique among comments.
    public var id: CommentID
    /// The number of the place.
    public var place: PlaceNumber
    /// The number of the person who wrote it.
    public var author: PersonNumber
    /// When it was received.
    public var at: Timestamp
    /// When it was last changed; nil for never.
    public var editedAt: Timestamp?
    /// Grows with each change, as that of a document.
    public var revision: Int64

    /// The greatest number of bytes of the words.
    public static let longest = 4_000

    /// A comment as it was received.
    public init(number: CommentNumber, id: CommentID, place: PlaceNumber, author: PersonNumber, at: Timestamp) {
        self.number = number
        self.id = id
        self.place = place
        self.author = author
        self.at = at
        revision = at.milliseconds
    }
}
