internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Laws

/// The load generator process of `tools/bench overload`, with one thread and many connections.
///
/// Each line of input is a phase: the rate in requests per second (0 for a closed loop on each connection), the number
/// of connections, and the duration in seconds. Each phase prints a line with its result.
struct OverloadLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overload-load", abstract: "Send what tools/bench overload wants.", shouldDisplay: false)

    @Argument(help: "The port of the service.") var port: UInt16
    @Option(help: "How many people send positions.") var people: Int

    func run() throws {
        var requests = OverloadRequests(people: people)
        print("ready")
        fflush(nil)
        while let line = readLine() {
            let words = line.split(separator: " ").compactMap { Double($0) }
            guard words.count == 3 else { throw MeasurementError("'\(line)' is no phase") }
            var phase = try OverloadPhase(port: port, rate: words[0], connections: Int(words[1]), seconds: words[2])
            print(try phase.run(&requests).line)
            fflush(nil)
        }
    }
}

/// The mix of requests: of 1,000, 700 for the nearest places, 98 for the nearest of a rare kind, 2 for facets of all,
/// 200 pings.
struct OverloadRequests {
    private var dice = Dice(seed: 1)
    private let people: Int
    private var count = 0

    init(people: Int) { self.people = people }

    mutating func next() -> [UInt8] {
        count += 1
        let (lat, lon) = (short(38 + 3 * dice.number(0..<1), 5), short(-2 + 2 * dice.number(0..<1), 5))
        let chosen = Int(dice.number(0..<1) * 1000)
        let target =
            switch chosen {
            case 0..<700: "/v1/places/nearest?lat=\(lat)&lon=\(lon)&limit=10"
            case 700..<798: "/v1/places/nearest?lat=\(lat)&lon=\(lon)&limit=10&tag=rare"
            case 798..<800: "/v1/places/facets?kind=store"
            default: "/v1/pings"
            }
        guard chosen >= 800 else { return Array("GET \(target) HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8) }
        let (person, step) = (count % people, count / people)
        let body =
            #"{"person":"p\#(person)","device":"bench","t":\#(1_600_000_000 + step * 130),"lat":\#(short(Double(step % 8000) * 0.01, 4)),"lon":\#(person % 180)}"#
        let head = "POST /v1/pings HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        return Array("\(head)content-length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }
}
