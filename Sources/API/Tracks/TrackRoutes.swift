internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model
internal import NIOCore
internal import Synchronization

/// Import and export of one person's tracks in the formats of other programs.
struct TrackRoutes {
    let engine: Engine
    let now: @Sendable () -> Timestamp
    private let places = ImportPlaces()

    func add(to routes: inout RouteTable) {
        routes.chapter = "Files"
        let types = TrackFormat.unspecified.union(TrackFormat.mediaTypes.keys)
        routes.on(
            .post, ImportRoutes.path + "tracks", for: .ownInQuery,
            .init(
                "Imports tracks of a person", as: "importTracks",
                [Self.person, Self.device, Self.format, ImportRoutes.isDry],
                takes: .file(types), answers: .ok(.trackReport), work: .long), load)
        routes.on(
            .get, "/v1/exports/tracks", for: .ownInQuery,
            .init(
                "Streams the tracks of a person", as: "exportTracks", [Self.person.example(.text("ana"))],
                answers: .content(.file(TrackExport.formats.map(\.mediaType))), problems: [.notAcceptable], work: .long),
            export)
    }

    private static let person = Parameter.text("person", "the person of the tracks, by default the caller", .id)
    private static let device = Parameter.text(
        "device", "the device that recorded them", .text(0...PingRanges.longestDevice))
    private static let format = Parameter.text(
        "format", "the format of the file, if the media type does not specify it", .words(TrackFormat.allNames))

    @Sendable private func load(_ call: Call) async throws -> Answer {
        let person = try person(call)
        let device = try call[Self.device] ?? ""
        guard device.utf8.count <= PingRanges.longestDevice, !device.hasControlCharacter else {
            throw call.query.invalid("device", "a name of at most \(PingRanges.longestDevice) bytes")
        }
        let format = try format(call)
        _ = try engine.number(of: person)
        let place = try places.take(person, for: call.caller, from: call.network)
        defer { withExtendedLifetime(place) {} }
        var session = try TrackSession(
            person: person, device: device, format: format,
            into: try call[ImportRoutes.isDry] ? nil : engine, received: call.received, by: call.caller, now: now)
        do {
            try await call.readFile { try await session.read(Array($0)) }
            let report = try await session.finish()
            return Answer.object { report.write(to: &$0) }.unstored
        } catch { throw await session.end(because: error) }
    }

    @Sendable private func export(_ call: Call) async throws -> Answer {
        let format = try call.accepted(of: TrackExport.formats)
        let export = try await TrackExport(of: try person(call), format, from: engine)
        return Answer.streamed(format.contentType) { send in try await export.write(to: send) }.negotiated
    }

    /// The person in the query; by default the caller.
    private func person(_ call: Call) throws(Problem) -> PersonID {
        guard let text = try call[Self.person] else {
            guard case .person(let own)? = call.principal else { throw call.query.missing("person") }
            return own
        }
        do { return try ID(text) } catch { throw call.query.invalid("person", "an id") }
    }

    /// The format from the query or the media type; nil to detect it from the content.
    private func format(_ call: Call) throws(Problem) -> TrackFormat? {
        try call.expect(TrackFormat.unspecified.union(TrackFormat.mediaTypes.keys), isFile: true)
        if let name = try call[Self.format] {
            guard let format = TrackFormat(named: name) else { throw call.query.invalid("format", TrackFormat.choice) }
            return format
        }
        return call.contentType.flatMap { TrackFormat.mediaTypes[$0] }
    }
}

/// Limits concurrent imports of tracks to one per person and few in total, because each buffers unprocessed bytes.
///
/// People's own imports and those by services have separate limits; people at one address share some of the places.
private final class ImportPlaces: Sendable {
    private static let most = 16
    private static let mostFromAddress = 4

    private let taken = Mutex<[PersonID: (caller: Caller, network: [UInt8])]>([:])

    /// A place, released when its last reference goes.
    final class Place: Sendable {
        private let places: ImportPlaces
        private let person: PersonID

        fileprivate init(_ places: ImportPlaces, _ person: PersonID) {
            self.places = places
            self.person = person
        }

        deinit { _ = places.taken.withLock { $0.removeValue(forKey: person) } }
    }

    /// - Throws: ``Problem`` when an import of the person is running, or too many others are.
    func take(_ person: PersonID, for caller: Caller, from network: [UInt8]) throws(Problem) -> Place {
        let isFree = taken.withLock { taken in
            let others = taken.values.filter { ($0.caller == .service) == (caller == .service) }
            guard others.count < Self.most, taken[person] == nil,
                caller == .service || others.count(where: { $0.network == network }) < Self.mostFromAddress
            else { return false }
            taken[person] = (caller, network)
            return true
        }
        guard isFree else {
            throw Problem(
                .overloaded,
                detail:
                    "Other tracks of this person, or the maximum number of tracks, are being imported: try again later.",
                headers: [.retryAfter: "10"])
        }
        return Place(self, person)
    }
}
