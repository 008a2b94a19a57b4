internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import Geo

/// Moves a crowd along recorded tracks and sends its positions over HTTP as phones would.
@main
struct SimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulator", abstract: "Move a crowd and send its positions.",
        discussion: """
            Every person follows one of the recorded tracks, shifted to a place around the centre and to a time that ends \
            now. A phone that throttles sends only what the service's last hint lets through. The same seed moves the same \
            crowd.
            """)

    @Option(help: "The address of the service, which keeps the people and positions it is sent.")
    var url = "http://127.0.0.1:8080"
    @Option(help: "How many people move.") var people = 100
    @Option(help: "How many hours of its track each person goes.") var hours = 1.0
    @Option(help: "What decides who goes where.") var seed: UInt64 = 1
    @Option(help: "Requests a second at most; 0 for as many as are answered.") var rate = 0.0
    @Option(help: "How many requests are under way at the same time.") var clients = 16
    @Option(help: "A CSV file of recorded pings.") var replay = "data/sample/pings.csv"
    @Option(help: "Where the crowd is: latitude,longitude.") var centre = "39.4699,-0.3763"
    @Option(help: "How far around the centre people start, in metres.") var spread = 10_000.0
    @Flag(inversion: .prefixedNo, help: "Whether phones throttle by the service's hint.") var throttle = true

    func validate() throws {
        guard people > 0, hours > 0, clients > 0, rate >= 0, spread >= 0 else {
            throw ValidationError("people, hours and clients are above zero, rate and spread not below.")
        }
        guard place != nil else { throw ValidationError("'\(centre)' is no latitude,longitude.") }
    }

    private var place: Coordinate? {
        let numbers = centre.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    func run() async throws {
        let tracks = try Track.read(replay, atLeast: .seconds(60))
        guard let place, !tracks.isEmpty else { throw ValidationError("\(replay) has no track of a minute or more.") }
        var random = SeededGenerator(seed: seed)
        let now = Date().timeIntervalSince1970
        let walkers = (0..<people).map { number in
            Walker(
                id: "sim\(seed)-\(number)", tracks: tracks, hours: hours, around: place, within: spread, until: now,
                throttles: throttle, using: &random)
        }
        let crowd = Crowd(service: ServiceClient(base: url), rate: rate, clients: clients)
        do { try await crowd.run(walkers) } catch let error as HTTPClientError {
            throw ValidationError("\(url) does not answer: \(error)")
        }
    }
}

/// SplitMix64: the same numbers for the same seed on every machine.
///
/// G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014, https://doi.org/10.1145/2660193.2660195.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
