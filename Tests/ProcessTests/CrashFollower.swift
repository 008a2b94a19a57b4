import Foundation
import Geo
import Model
import Storage
import Testing

/// Follows what is told of some fences, through one life of the service after the other, and says whether it was told all of it.
///
/// The client is curl, which ends when the service does.
final class CrashFollower {
    /// Around the southern end of everybody's way, in metres; each client of the test walks by a fence of its own.
    static let radius = 100.0

    private let file: URL
    private var client: Process?
    /// The numbers and types of the events of fences, as they were read in the lives before.
    private var read: [(number: Int64, type: String)] = []

    init(_ folder: URL) { file = folder.appending(path: "followed") }

    static func makeFences(_ service: Service, clients: Int) async throws {
        for client in 1...clients {
            let fence = #"{"area":{"lat":0,"lon":\#(client),"within_m":\#(radius)},"everybody":true}"#
            #expect(try await service.send("PUT /v1/fences/f\(client)", fence).status == 201)
        }
    }

    /// Goes on after what was read last.
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

    /// Waits until the service is gone, and takes what it told.
    func finish() throws {
        client?.waitUntilExitOrKill()
        read += try told
    }

    /// What was told in this life; of a message that was cut off nothing.
    private var told: [(number: Int64, type: String)] {
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

    /// Waits until an event was read.
    func reach(_ number: Int64) async throws {
        try await wait(
            until: { try (told.last ?? read.last).map { $0.number >= number } ?? (number == 0) },
            { "event \(number) was not read" })
    }

    /// The events of fences that are kept.
    static func kept(_ data: URL) async throws -> [Event] {
        let store = try Store(folder: data)
        defer { try? store.close() }
        var (kept, last): ([Event], Int64) = ([], 0)
        while case let more = try await store.events(after: last, atMost: 1000), let end = more.last?.number {
            kept += more.filter { $0.fact.type == .fenceEnter || $0.fact.type == .fenceExit }
            last = end
        }
        return kept
    }

    /// Whether all that is kept was read, once and in order, and delivered; and what is kept follows from what is stored.
    func check(_ kept: [Event], _ delivered: [Receiver.Message], _ data: URL, people: Int) async throws {
        #expect(read.map(\.number) == kept.map(\.number), "each is read once, in order")
        #expect(read.map(\.type) == kept.map(\.fact.type.rawValue))
        #expect(kept.count > people, "there was something to lose")
        let types = Dictionary(kept.map { ($0.number, $0.fact.type.rawValue) }, uniquingKeysWith: { a, _ in a })
        #expect(Set(delivered.compactMap(\.body.id)) == Set(types.keys))
        #expect(delivered.allSatisfy { $0.verified == [true] && $0.body.id.flatMap { types[$0] } == $0.body.type })
        for (person, told) in Dictionary(grouping: delivered, by: \.body.person) {
            var seen: Set<Int64> = []
            let first = told.compactMap(\.body.id).filter { seen.insert($0).inserted }
            #expect(first == first.sorted(), "of \(person ?? "") in order")
        }
        let store = try Store(folder: data)
        for person in 0..<PersonNumber(people) {
            let told = kept.filter { $0.fact.person?.number == person }.map(\.fact.type)
            #expect(try await told == Self.passages(of: person, in: store), "of person \(person)")
        }
        try store.close()
        print("\(kept.count) comings and leavings of fences, all kept and read, told by \(delivered.count) webhooks")
    }

    /// What must be told of a person, from where they were stored.
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
