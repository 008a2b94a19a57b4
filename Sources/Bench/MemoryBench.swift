internal import ArgumentParser
internal import AsyncHTTPClient
internal import Discovery
internal import Foundation
internal import Geo
internal import Model

/// `tools/bench memory`: measures the memory of people and places by component.
struct MemoryBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "Measure the memory of people with a position, and of places.",
        discussion: """
            People have an id, a name and a position, places an id, a kind, a name and a position. The service is \
            measured after its start, and after one more of each was added: until then both copies of the live state share \
            the data that are copied at the first change.
            """)

    @Option(help: "The number of people, each with a position.") var people = 1_000_000
    @Option(help: "The number of places.") var places = 1_000_000
    @Option(help: "The average number of friends of a person.") var friends = 0
    @Option(help: "A folder with loaded data, which is kept; by default the data are loaded.") var data: String?
    @Option(help: "The program to measure, by default the one built with this.") var program: String?
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1

    func run() async throws {
        print("memory of \(people) people, \(places) places, \(friends) friends each, on \(Machine.description)")
        try await withFolder(data) { folder in
            let data = folder.appending(path: "data")
            if !FileManager.default.fileExists(atPath: data.path) { try load(into: data) }
            let empty = try await withTemporaryFolder { try await measure("of an empty service", $0, puts: false) }
            let full = try await measure("of the service", data, puts: true)
            let entities = max(1, people + places)
            print(
                "\((full - empty) / entities) bytes an entity, \((full - empty) >> 20) MB in all (mark: 700 for a million of each)"
            )
            try printParts(of: data)
        }
    }

    private func load(into data: URL) throws {
        try FileManager.default.createDirectory(
            at: data.deletingLastPathComponent(), withIntermediateDirectories: true)
        var work = try Work(seed: seed)
        try RunningService.load("people", people, into: data, header: "id,name") { "p\($0),Person \($0)" }
        try RunningService.load("pings", people, into: data, header: "person,t,lat,lon,accuracy_m") { number in
            let place = work.place()
            return "p\(number),2026-01-01T00:00:00Z,\(place.latitude),\(place.longitude),10"
        }
        try RunningService.load("places", places, into: data, header: "id,kind,name,lat,lon") { number in
            let place = work.place()
            return "s\(number),store,Place \(number),\(place.latitude),\(place.longitude)"
        }
        try RunningService.load("friends", people * friends / 2, into: data, header: "a,b") { number in
            let a = number % people
            return "p\(a),p\((a + 1 + number / people * 7919) % people)"
        }
    }

    /// - Returns: the service's memory other than pages of files, in bytes.
    private func measure(_ name: String, _ data: URL, puts: Bool) async throws -> Int {
        let program = program.map { URL(fileURLWithPath: $0) } ?? RunningService.executable
        let service = try RunningService(data: data, program: program)
        var said = "\(name): listening after \(short(service.startup.seconds)) s, \(service.anonymousMemory >> 20) MB"
        if puts {
            try await HTTPClient.shared.put("\(service.base)/v1/people/one-more", #"{"name":"One"}"#)
            try await HTTPClient.shared.put(
                "\(service.base)/v1/places/one-more", #"{"kind":"store","name":"One","lat":40,"lon":0}"#)
            said += ", \(service.anonymousMemory >> 20) MB after one more of each"
        }
        print(said)
        defer { _ = try? service.stop() }
        return service.anonymousMemory
    }

    /// Prints the components' own estimates, without the overhead of the allocator.
    private func printParts(of data: URL) throws {
        let engine = try Engine(data)
        let widths = [38, 16, 14, 24]
        row("part", "MB in one copy", "bytes each", "between both copies", widths: widths)
        var (least, most) = (0, 0)
        for share in engine.read({ $0.memory }) {
            least += share.sharing == .never ? 2 * share.bytes : share.bytes
            most += share.sharing == .always ? share.bytes : 2 * share.bytes
            let count = share.part.hasPrefix("people") ? people : places
            row(
                share.part, "\(share.bytes >> 20)", "\(share.bytes / max(1, count))", share.sharing.rawValue,
                widths: widths)
        }
        print("both copies: \(least >> 20) MB after a start, \(most >> 20) MB when everything has changed since")
    }
}
