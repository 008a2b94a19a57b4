import Discovery
import Geo
import Laws
import Model
import Storage
import Testing

/// Histories as lines, and their simplification block by block.
@Suite struct HistoryLineTests {
    @Test("Positions that simplification drops lie within the tolerance, for any block size")
    func droppedPositions() throws {
        for seed in RandomCases.seeds(1..<1001) {
            var random = SeededGenerator(seed: seed)
            let (pings, query) = try history(&random)
            let tolerance = try #require(query.tolerance)
            let block = random.integer(2...40)
            let lines = simplified(pings, query, block: block)
            let wanted = pings.filter { !$0.isSuspect }
            let pieces = wanted.split { !(query.area?.contains($0.place) ?? true) }
            #expect(lines.map(\.first) == pieces.map(\.first?.key), "seed \(seed)")
            #expect(lines.map(\.last) == pieces.map(\.last?.key), "seed \(seed)")
            for (line, piece) in zip(lines, pieces) {
                let kept = Set(line)
                let indices = piece.indices.filter { kept.contains(piece[$0].key) }
                #expect(indices.count == line.count, "seed \(seed): each once, in their order")
                for (a, b) in zip(indices, indices.dropFirst()) {
                    for index in a + 1..<b {
                        let three = [a, index, b].map { wanted[$0].place }
                        #expect(
                            Simplification.kept(three, tolerance: tolerance) == [0, 2], "seed \(seed): ping \(index)")
                    }
                }
                let whole = Simplification.kept(piece.map(\.place), tolerance: tolerance).map {
                    wanted[piece.startIndex + $0].key
                }
                #expect(
                    pieces.count > 1 || block < piece.count || line == whole, "seed \(seed): one block is the whole")
            }
        }
    }

    @Test("A history resumes after any of its points") func resumption() throws {
        for seed in RandomCases.seeds(1..<301) {
            var random = SeededGenerator(seed: seed)
            var (pings, query) = try history(&random)
            if random.chance(0.2) { query.tolerance = nil }
            let block = random.integer(2...40)
            let all = points(pings, query, block: block)
            for (index, point) in all.enumerated() {
                let start = point.position.start
                let rest = points(pings.filter { start.admits($0.key) }, query, block: block).filter {
                    $0.ping.key > point.position.last
                }
                #expect(rest.map(\.ping.key) == all[(index + 1)...].map(\.ping.key), "seed \(seed), after \(index)")
            }
        }
    }

    /// Throttled pings, which extend a stay, count as contact.
    @Test("A line ends after an hour without contact") func gaps() throws {
        let minutes = [0, 60, 121, 300, 310]
        let pings = try minutes.enumerated().map { index, minute in
            let time = Timestamp(milliseconds: Int64(minute) * 60_000)
            let place = try Coordinate(latitude: 40 + Double(index) / 100, longitude: 0)
            var ping = StoredPing(
                person: 0, time: time, received: time, place: place,
                publicCell: CubeCell(containing: place, level: 13))
            if minute == 121 { ping.seenUntil = time + .seconds(150 * 60) }
            return ping
        }
        var query = HistoryQuery(of: id("ana"), in: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max))
        #expect(points(pings, query, block: 9).map(\.startsLine) == [true, false, false, false, false])
        query.isLine = true
        #expect(points(pings, query, block: 9).map(\.startsLine) == [true, false, true, false, false])
        query.isLine = false
        query.tolerance = 1e6
        #expect(simplified(pings, query, block: 9).map(\.count) == [2, 2])
    }

    private func points(_ pings: [StoredPing], _ query: HistoryQuery, block: Int) -> [HistoryPoint] {
        var lines = HistoryLines(query, block: block)
        var points: [HistoryPoint] = []
        for ping in pings { lines.take(ping, &points) }
        lines.finish(&points)
        return points
    }

    private func simplified(_ pings: [StoredPing], _ query: HistoryQuery, block: Int) -> [[PingKey]] {
        var lines: [[PingKey]] = []
        for point in points(pings, query, block: block) {
            if point.startsLine { lines.append([]) }
            lines[lines.count - 1].append(point.ping.key)
        }
        return lines
    }

    private func history(_ random: inout SeededGenerator) throws -> ([StoredPing], HistoryQuery) {
        var place = random.place()
        let step = random.pick([10.0, 600, 20_000])
        var pings = (0..<random.integer(0...150)).map { index in
            if random.chance(0.9) { place = random.jittered(place, metres: step) }
            let time = Timestamp(milliseconds: Int64(index / 2) * 120_000)
            var ping = StoredPing(
                person: 0, time: time, received: time, place: place,
                publicCell: CubeCell(containing: place, level: 13))
            ping.sequence = UInt8(index % 2)
            return ping
        }
        if random.chance(0.3) { pings = pings.filter { _ in random.chance(0.7) } }
        let all = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)
        var query = HistoryQuery(of: id("ana"), in: all)
        query.tolerance = random.pick([0, 1, step / 2, step * 4])
        if random.chance(0.5), let middle = pings.randomElement(using: &random)?.place {
            let (west, east) = (max(-180, middle.longitude - 0.003), min(180, middle.longitude + 0.003))
            query.area = .box(try Box(west: west, south: -90, east: east, north: 90))
        } else {
            for index in pings.indices where random.chance(0.05) { pings[index].isSuspect = true }
        }
        return (pings, query)
    }
}
