internal import Discovery
internal import Foundation

/// How much one request may ask, and how many may ask.
public struct Limits: Hashable, Sendable {
    /// The bytes of a body.
    public var body = 8 << 20
    /// The bytes of a body of a person or device, unless it is of lines that are read one by one.
    public var bodyOfPerson = 1 << 20
    /// The bytes of an import.
    public var importBody = 4 << 30
    /// The pings, or other items, of a batch.
    public var batch = 10_000
    /// The vertices of a polygon.
    public var vertices = 10_000
    /// Those of an area that a person writes, of a fence or of a place.
    public var verticesOfPerson = 1_000
    /// The greatest radius, in metres.
    public var radius = 20_040_000.0
    /// How many entities a search looks at before it is cut off.
    public var scan = 200_000
    /// The queries that are asked together.
    public var queries = 1_000
    /// The bytes of their answers together, beyond which no further one is answered, and of any other answer but a stream.
    public var answers = 64 << 20
    /// The bytes of a document that a person writes.
    public var documentOfPerson = 16 << 10
    /// The connections that are open at the same time.
    public var connections = 10_000
    /// The connections of one address that are open at the same time, trusted proxies excepted; 0 for any number.
    public var connectionsOfAddress = 1000
    /// The requests that wait for the same event loop; further ones are refused before they are looked at.
    public var waitingAtLoop = 200
    /// Requests that read.
    public var reads = Room(atOnce: 8 * ProcessInfo.processInfo.activeProcessorCount)
    /// Requests that change something, most of which wait for the commit that they share.
    public var writes = Room(atOnce: 128)
    /// Imports, exports, batches, and searches through all.
    public var long = Room(atOnce: 8, patience: .seconds(2))
    /// Pieces of persons' files, whose room is their own: whatever persons send, services' long requests go on.
    public var files = Room(atOnce: 2, patience: .seconds(10))
    /// Persons' searches for words, each of which may keep one of the four readers of the file for half a second.
    public var words = Room(atOnce: 2, patience: .seconds(2))
    /// The answers that are streamed at the same time.
    public var streams = 100
    /// The answers that are streamed to one person at the same time.
    public var streamsOfPerson = 4
    /// The streams of events that are followed at the same time.
    public var readers = 10_000
    /// The streams of events that one person follows at the same time.
    public var readersOfPerson = 8
    /// Those who follow one link at the same time.
    public var readersOfLink = 100
    /// The bytes of the items of a list that a person follows.
    public var followedOfPerson = 1 << 20
    /// How often a stream of events is sent something at least, and looks at what time alone changes.
    public var heartbeat = EventReader.pause
    /// Those who follow the links of one person at the same time.
    public var readersOfOwner = 200
    /// Those who follow links from one address at the same time.
    public var readersOfAddress = 500

    /// The limits that hold when nothing is configured.
    public init() {}

    /// Which kinds of work there is only so much room for.
    var rooms: [Work: Room] { [.read: reads, .write: writes, .long: long] }

    /// How many times as long as what was sent a person's body may become when it is expanded.
    static let expansion = 20

    /// The bytes of a person's file, sent or expanded.
    var fileOfPerson: Int { min(importBody, Self.expansion * bodyOfPerson) }
}
