internal import ArgumentParser
internal import Foundation
internal import Geo
internal import Laws

/// `tools/bench areas`: measures areas of fences in memory, on one thread.
struct AreasBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "areas", abstract: "Measure the index of fenced areas.",
        discussion: """
            Seven of ten areas are polygons of 10 to 1,000 vertices (as many of 10 to 100 as of 100 to 1,000), two circles, one a \
            corridor of 10 to 100 places. Their radius has a median of 500 m. They lie as the entities of 'index' do.
            """)

    @Option(help: "How many areas, one table each.") var sizes: [Int] = [1000, 10_000, 100_000]
    @Option(help: "How many questions of each kind.") var questions = 20_000
    @Option(help: "What the work is made from.") var seed: UInt64 = 1

    func run() throws {
        print("areas on \(Machine.description), one thread, \(questions) questions of each kind, seed \(seed)")
        for size in sizes { try measure(size) }
    }

    private func measure(_ size: Int) throws {
        var work = try Work(seed: seed)
        var dice = Dice(seed: seed)
        let centres = (0..<size).map { _ in work.place() }
        let shapes = centres.map { Shape(around: $0, &dice) }
        var (areas, index): ([FencedArea], AreaIndex) = ([], AreaIndex())
        print("\n\(size) areas")
        let made = ContinuousClock().measure { areas = shapes.map(\.area) }
        let load = ContinuousClock().measure {
            for (number, area) in areas.enumerated() { index.insert(area, as: UInt32(number)) }
        }
        row("made of their places", "\(short(made.seconds)) s", "\(areas.reduce(0) { $0 + $1.vertexCount }) places")
        row("put into the index", "\(short(load.seconds)) s", "\(index.bytes / size) bytes each", "(mark, both: 10 s)")
        let anywhere = (0..<questions).map { _ in dice.evenPlace() }
        let within = (0..<questions).map { _ in dice.pick(centres) }
        let near = within.map { dice.jittered($0, metres: 2000) }
        contain("in which areas: most in none", anywhere, index, "(mark: 2 µs)")
        contain("in which: the middle of one", within, index, "(mark: 20 µs)")
        time("the same as places are asked", within, "(mark: 50 µs)") { place, steps in
            let near = index.covering(place, atMost: 10_000, steps: &steps) ?? []
            return near.count { index[$0]?.contains(place, steps: &steps) ?? false }
        }
        scan(within, areas)
        time("next border, up to 500 m", near) { place, steps in
            index.distanceToNextBorder(from: place, upTo: 500, steps: &steps) < 500 ? 1 : 0
        }
        let ways = near.map { ($0, dice.jittered($0, metres: 500)) }
        time("touched by a way of 250 m", ways) { way, steps in
            index.mayTouch(from: way.0, to: way.1, margin: 0, steps: &steps).count
        }
        time("touched, and parts within", ways) { way, steps in
            index.mayTouch(from: way.0, to: way.1, margin: 0, steps: &steps).filter {
                !(index[$0]?.passages(from: way.0, to: way.1, tolerance: 1, steps: &steps).isEmpty ?? true)
            }.count
        }
        remove(&index, size)
    }

    private func contain(_ name: String, _ places: [Coordinate], _ index: AreaIndex, _ mark: String) {
        time(name, places, mark) { place, steps in index.containing(place, steps: &steps).count }
    }

    /// The brute-force baseline.
    private func scan(_ places: [Coordinate], _ areas: [FencedArea]) {
        let some = places.prefix(max(10, 2_000_000 / areas.count))
        time("the same by asking each", Array(some)) { place, steps in
            areas.count { $0.contains(place, steps: &steps) }
        }
    }

    private func remove(_ index: inout AreaIndex, _ size: Int) {
        let time = ContinuousClock().measure { for number in 0..<size { index.remove(UInt32(number)) } }
        row("taken out again", "\(short(time.seconds * 1e6 / Double(size))) µs")
    }

    private func time<Question>(
        _ name: String, _ questions: [Question], _ mark: String = "", _ ask: (Question, inout Int) -> Int
    ) {
        var (found, steps) = (0, 0)
        let time = ContinuousClock().measure { for question in questions { found += ask(question, &steps) } }
        let count = Double(questions.count)
        row(
            name, "\(short(time.seconds * 1e6 / count)) µs", "\(short(Double(steps) / count, 1)) steps",
            "\(short(Double(found) / count)) found", mark)
    }
}

private enum Shape {
    case circle(Coordinate, Double)
    case ring([(longitude: Double, latitude: Double)])
    case corridor([Coordinate], Double)

    init(around centre: Coordinate, _ dice: inout Dice) {
        let radius = dice.logNormal(median: 500)
        switch dice.integer(0...9) {
        case 0, 1: self = .circle(centre, radius)
        case 2:
            var place = centre
            self = .corridor(
                (0..<dice.integer(10...100)).map { _ in
                    place = dice.jittered(place, metres: radius / 5)
                    return place
                }, 50)
        default:
            let count = Int(10 * exp(dice.number(0..<log(100))))
            var ring = (0..<count).map { corner in
                let place = Geodesic.destination(
                    from: centre, bearing: 360 * Double(corner) / Double(count),
                    metres: radius * dice.number(0.7..<1.3))
                return (longitude: place.longitude, latitude: place.latitude)
            }
            ring.append(ring[0])
            self = .ring(ring)
        }
    }

    /// The area; a ring that crosses 180° would have to be cut, and becomes an empty corridor.
    var area: FencedArea {
        switch self {
        case .circle(let centre, let metres): return .circle(centre, metres: metres)
        case .corridor(let line, let metres): return .corridor(line, metres: metres)
        case .ring(let ring):
            guard let polygon = try? Polygon(rings: [ring]) else { return .corridor([], metres: 0) }
            return .polygons([polygon])
        }
    }
}
