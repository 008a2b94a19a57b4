extension FencedArea {
    /// The parts of the geodesic between two places that lie in the area, in order, as fractions of its length.
    ///
    /// The distance to the border at the middle of a part decides the interval of that size around it; what remains of
    /// the part is examined in the same way. A part may therefore begin or end `tolerance` meters too early or too
    /// late, and a shorter part may be left out. A path that runs close to the border is less exact. After 2,000 tests
    /// of the area, or `most` steps, no part is divided further, and its middle decides the whole part.
    ///
    /// - Complexity: for each crossing of the border, O(log(length / tolerance)) tests of the area; about `most` steps
    ///   in all, and a test of each part that remains then, which are fewer than those before.
    public func passages(
        from start: Coordinate, to end: Coordinate, tolerance: Double, atMost most: Int = .max, steps: inout Int
    ) -> [ClosedRange<Double>] {
        let first = steps
        // The path cannot cross a border that is farther from its end than the path is long.
        let longest = ChordBounds.upper(EarthCentred(start).chord(to: EarthCentred(end)))
        if isBorderBeyond(longest + 0.01, of: end, steps: &steps) {
            return contains(end, steps: &steps) ? [0...1] : []
        }
        let line = GeodesicLine(from: start, to: end)
        var inside: [ClosedRange<Double>] = []
        var open = [0.0...1.0]
        var looks = 0
        while !open.isEmpty {
            var next: [ClosedRange<Double>] = []
            for part in open {
                looks += 1
                steps += 10
                let share = (part.lowerBound + part.upperBound) / 2
                let degrees = line.degrees(at: share)
                let middle = Coordinate(clamping: degrees.latitude, degrees.longitude)
                let reach = line.length * (part.upperBound - part.lowerBound) / 2
                // The middle is rounded to the lattice.
                let free =
                    reach * 2 <= tolerance || looks > 2000 || steps - first > most
                    ? reach : distanceToBorder(from: middle, upTo: reach + 0.02, steps: &steps) - 0.01
                var (low, high) = (part.lowerBound, part.upperBound)
                if free < reach {
                    // A small decided interval is not worth a further part.
                    let known = free < reach / 8 ? 0 : free / line.length
                    (low, high) = (max(low, share - known), min(high, share + known))
                    next += [part.lowerBound...low, high...part.upperBound]
                }
                if low < high, contains(middle, steps: &steps) { inside.append(low...high) }
            }
            open = next
        }
        return Self.joined(inside.sorted { $0.lowerBound < $1.lowerBound })
    }

    private static func joined(_ parts: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
        var joined: [ClosedRange<Double>] = []
        for part in parts {
            if let last = joined.last, last.upperBound == part.lowerBound {
                joined[joined.count - 1] = last.lowerBound...part.upperBound
            } else {
                joined.append(part)
            }
        }
        return joined
    }
}
