import AsyncHTTPClient
import Foundation
import Geo
import Model
import NIOCore
import NIOHTTP1
import Storage
import Testing

/// Follows what is told of some fences, through one life of the service after the other, and says whether it was told all of it.
actor CrashFollower {
    /// Around the southern end of everybody's way, in metres; each client of the test walks by a fence of its own.
    static let radius = 100.0

    private var last: String?
    /// The numbers and types of the events of fences, as they were read.
    private var read: [(number: Int64, type: String)] = []

    static func makeFences(_ service: Service, clients: Int) async throws {
        for client in 1...clients {
            let fence = #"{"area":{"lat":0,"lon":\#(client),"within_m":\#(radius)},"everybody":true}"#
            #expect(try await service.send("PUT /v1/fences/f\(client)", fence).status == 201)
        }
    }

    /// Follows until the service is gone, and then until it is cancelled: the client tries to connect for longer than it need.
    func follow(_ service: Service) async {
        var request = HTTPClientRequest(url: service.base + "/v1/events?type=fence.enter&type=fence.exit")
        request.headers.add(name: "accept", value: "text/event-stream")
        request.headers.add(name: "last-event-id", value: last ?? "0")
        guard let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(600)),
            response.status == .ok
        else { return }
        var text = ""
        do {
            for try await part in response.body {
                text += String(buffer: part)
                while let end = text.range(of: "\n\n") {
                    take(text[..<end.lowerBound])
                    text.removeSubrange(..<end.upperBound)
                }
            }
        } catch {}  // The service was killed.
    }

    private func take(_ message: Substring) {
        var fields: [String: String] = [:]
        for line in String(message).components(separatedBy: "\n") {
            guard let colon = line.range(of: ": ") else { continue }
            fields[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        guard let id = fields["id"], let number = Int64(id), let type = fields["event"] else { return }
        last = id
        if type.hasPrefix("fence.") { read.append((number, type)) }
    }

    /// Waits until an event was read, for at most a minute.
    func reach(_ number: Int64) async throws {
        for _ in 0..<3000 where (read.last?.number ?? 0) < number { try await Task.sleep(for: .milliseconds(20)) }
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
