internal import Discovery
internal import Foundation

/// Limits on a single request, and on concurrent requests.
public struct Limits: Hashable, Sendable {
    /// The maximum bytes of a body.
    public var body = 8 << 20
    /// The maximum bytes of a person's or device's body, except of NDJSON, which is read line by line.
    public var bodyOfPerson = 1 << 20
    /// The maximum bytes of an import.
    public var importBody = 4 << 30
    /// The maximum number of pings, or other items, in a batch.
    public var batch = 10_000
    /// The maximum number of vertices of a polygon.
    public var vertices = 10_000
    /// The maximum number of vertices of an area of a fence or a place that a person writes.
    public var verticesOfPerson = 1_000
    /// The maximum radius, in meters.
    public var radius = 20_040_000.0
    /// The most entities that a search examines before it is cut off.
    public var scan = 200_000
    /// The maximum number of queries in a batch.
    public var queries = 1_000
    /// The maximum bytes of an answer except a stream, and of a batch's answers, after which no query is answered.
    public var answers = 64 << 20
    /// The maximum bytes of a document that a person writes.
    public var documentOfPerson = 16 << 10
    /// The most connections that are open at the same time.
    public var connections = 10_000
    /// The most open connections of one address, except trusted proxies; 0 for no limit.
    public var connectionsOfAddress = 1000
    /// The most requests that wait for one event loop; further ones are refused before they are processed.
    public var waitingAtLoop = 200
    /// Requests that read.
    public var reads = ConcurrencyLimit(atOnce: 8 * ProcessInfo.processInfo.activeProcessorCount)
    /// Requests that change something, most of which wait for the commit that they share.
    public var writes = ConcurrencyLimit(atOnce: 128)
    /// Imports, exports, batches, and full scans.
    public var long = ConcurrencyLimit(atOnce: 8, maxWait: .seconds(2))
    /// Pieces of people's files, which have their own slots so that they do not hold up services' long requests.
    public var files = ConcurrencyLimit(atOnce: 2, maxWait: .seconds(10))
    /// People's word searches, each of which may hold one of the file's four readers for half a second.
    public var words = ConcurrencyLimit(atOnce: 2, maxWait: .seconds(2))
    /// The most answers that are streamed at the same time.
    public var streams = 100
    /// The most answers that are streamed to one person at the same time.
    public var streamsOfPerson = 4
    /// The most event streams that are followed at the same time.
    public var readers = 10_000
    /// The most event streams that one person follows at the same time.
    public var readersOfPerson = 8
    /// The most clients that follow one link at the same time.
    public var readersOfLink = 100
    /// The maximum bytes of the items of a list that a person follows.
    public var followedOfPerson = 1 << 20
    /// The longest silence of an event stream, and the interval at which it checks changes due to time alone.
    public var heartbeat = EventReader.pause
    /// The least time between two repetitions of a followed list of places or stores.
    public var listPause = Duration.seconds(5)
    /// The most clients that follow the links of one person at the same time.
    public var readersOfOwner = 200
    /// The most clients that follow links from one address at the same time.
    public var readersOfAddress = 500

    /// Creates the default limits.
    public init() {}

    /// The request classes with a concurrency limit.
    var concurrencyLimits: [RequestClass: ConcurrencyLimit] { [.read: reads, .write: writes, .long: long] }

    /// The highest ratio by which a person's body may expand.
    static let expansion = 20

    /// The maximum bytes of a person's file, sent or expanded.
    var fileOfPerson: Int { min(importBody, Self.expansion * bodyOfPerson) }
}
