internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Geo
internal import Laws
internal import NIOHTTP1

/// `tools/bench start`: measures loading many people and places, and starting with them.
struct StartBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Load people and places and measure the start from that database.")

    @Option(help: "The number of people, each with a position.") var people = 1_000_000
    @Option(help: "The number of places.") var places = 1_000_000
    @Option(help: "The average number of friends of a person.") var friends = 0
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1

    func run() async throws {
        print("start with \(people) people, \(places) places, \(friends) friends each, on \(Machine.description)")
        try await withTemporaryFolder { folder in
            let data = folder.appending(path: "data")
            var work = try Work(seed: seed)
            try RunningService.load("people", people, into: data, header: "id,name,city,born,sex,discoverable") {
                number in
                "p\(number),Person \(number),Valencia,19\(50 + number % 50)-0\(1 + number % 9)-11,\(number % 2 == 0 ? "female" : "male"),true"
            }
            try RunningService.load("pings", people, into: data, header: "person,t,lat,lon,accuracy_m") { number in
                let place = work.place()
                return "p\(number),2026-01-01T00:00:00Z,\(place.latitude),\(place.longitude),10"
            }
            try RunningService.load("places", places, into: data, header: "id,kind,name,lat,lon,category,tags") {
                number in
                let place = work.place()
                return
                    "s\(number),\(number % 4 == 0 ? "topic" : "store"),Place \(number),\(place.latitude),\(place.longitude),c\(number % 20),t\(number % 50)"
            }
            if friends > 0 {
                try RunningService.load("friends", people * friends / 2, into: data, header: "a,b") { number in
                    let a = number % people
                    return "p\(a),p\((a + 1 + number / people * 7919) % people)"
                }
            }
            print("file: \(Machine.size(of: data.appending(path: "cerca.sqlite")) >> 20) MB")
            let service = try RunningService(data: data)
            print(
                "start to listening: \(short(service.startup.seconds)) s (mark: under 10 s for a million of each), memory \(service.memory >> 20) MB"
            )
            try await query(service, &work)
            try service.stop()
        }
    }

    private func query(_ service: RunningService, _ work: inout Work) async throws {
        for path in [
            "/v1/places/nearest?limit=10&kind=store", "/v1/people/p7/discovery?limit=10",
            "/v1/people/p7/friends/nearest",
        ] {
            var latency = Latency()
            for _ in 0..<200 {
                let place = work.place()
                let url =
                    service.base + path
                    + (path.contains("places") ? "&lat=\(place.latitude)&lon=\(place.longitude)" : "")
                let start = ContinuousClock.now
                let response = try await HTTPClient.shared.send(.GET, url).response
                guard response.status == .ok else { throw MeasurementError("\(path): \(response.status)") }
                latency.record(.now - start)
            }
            print(
                "\(path): p50 \(latency.milliseconds(50)) ms, p99 \(latency.milliseconds(99)) ms over HTTP, one client")
        }
    }
}
