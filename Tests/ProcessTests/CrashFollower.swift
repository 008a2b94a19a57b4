import Foundation
import Geo
import Model
import Storage
import Testing

/// Follows the events of some fences through several runs of the service and checks that none is missing.
///
/// The client is curl, which ends with the service.
final class CrashFollower {
    /// Radius in meters around the southern end of each path; each client of the test walks by its own fence.
    static let radius = 100.0

    private let file: URL
    private var client: Process?
    /// Numbers and types of the fence events that were read in earlier runs.
    private var read: [(number: Int64, type: String)] = []

    init(_ folder: URL) { file = folder.appending(path: "followed") }

    static func makeFences(_ service: Service, clients: Int) async throws {
        for client in 1...clients {
            let fence = #"{"area":{"lat":0,"lon":\#(client),"within_m":\#(radius)},"everybody":true}"#
            #expect(try await service.send("PUT /v1/fences/f\(client)", fence).status == 201)
        }
    }

    /// Resumes after the last event that was read.
    func start(_ service: Service) throws {
        try Data().write(to: file)
        let client = Process()
        client.executableURL = URL(filePath: "/usr/bin/curl")
        client.arguments = [
            "--silent", "--no-buffer", "--header", "accept: text/event-stream", "--header",
            "last-event-id: \(read.last?.number ?? 0)",
            service.base + "/v1/events?type=fence.enter,fence.exit",
        ]
        client.standardOutput = try FileHandle(forWritingTo: file)
        try client.run()
        self.client = client
    }

    /// Waits until the service has ended, and collects the events that it sent.
    func finish() throws {
        client?.waitUntilExitOrKill()
        read += try reported
    }

    /// The events sent in this run, without a message that was cut off.
    private var reported: [(number: Int64, type: String)] {
        get throws {
            let messages = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n").dropLast()
            return messages.compactMap { message in
                guard let id = message.firstMatch(of: /(?m)^id: (\d+)$/).flatMap({ Int64($0.1) }),
                    let type = message.firstMatch(of: /(?m)^event: (fence\..*)$/)
                else { return nil }
                return (id, String(type.1))
            }
        }
    }

    /// Waits until the event `number` was read.
    func reach(_ number: Int64) async throws {
        try await wait(
            until: { try (reported.last ?? read.last).map { $0.number >= number } ?? (number == 0) },
            { "event \(number) was not read" })
    }

    /// Returns the kept events of fences.
    static func kept(_ data: URL) async throws -> [Event] {
        let store = try Store(folder: data)
        defer { try? store.close() }
        var (kept, last): ([Event], Int64) = ([], 0)
        while case let more = try await store.events(after: last, atMost: 1000), let end = more.last?.number {
            kept += more.filter { $0.payload.type == .fenceEnter || $0.payload.type == .fenceExit }
            last = end
        }
        return kept
    }

    /// Checks that every kept event was read once, in order, and delivered, and follows from the stored positions.
    func check(_ kept: [Event], _ delivered: [Receiver.Message], _ data: URL, people: Int) async throws {
        #expect(read.map(\.number) == kept.map(\.number), "each is read once, in order")
        #expect(read.map(\.type) == kept.map(\.payload.type.rawValue))
        #expect(kept.count > people, "there was something to lose")
        let types = Dictionary(kept.map { ($0.number, $0.payload.type.rawValue) }, uniquingKeysWith: { a, _ in a })
        #expect(Set(delivered.compactMap(\.body.id)) == Set(types.keys))
        #expect(delivered.allSatisfy { $0.verified == [true] && $0.body.id.flatMap { types[$0] } == $0.body.type })
        for (person, reported) in Dictionary(grouping: delivered, by: \.body.person) {
            var seen: Set<Int64> = []
            let first = reported.compactMap(\.body.id).filter { seen.insert($0).inserted }
            #expect(first == first.sorted(), "of \(person ?? "") in order")
        }
        let store = try Store(folder: data)
        for person in 0..<PersonNumber(people) {
            let reported = kept.filter { $0.payload.person?.number == person }.map(\.payload.type)
            #expect(try await reported == Self.passages(of: person, in: store), "of person \(person)")
        }
        try store.close()
        print("\(kept.count) comings and leavings of fences, all kept and read, told by \(delivered.count) webhooks")
    }

    /// Returns the events that must follow from a person's stored positions.
    private static func passages(of person: PersonNumber, in store: Store) async throws -> [EventType] {
        var (isInside, expected): (Bool, [EventType]) = (false, [])
        var walk = store.pings(of: person...person)
        while let page = try await walk.next() {
            for place in page.map(\.ping.place) {
                let centre = try Coordinate(latitude: 0, longitude: place.longitude.rounded())
                guard (Geodesic.distance(from: centre, to: place) <= radius) != isInside else { continue }
                isInside.toggle()
                expected.append(isInside ? .fenceEnter : .fenceExit)
            }
        }
        return expected
    }
}
