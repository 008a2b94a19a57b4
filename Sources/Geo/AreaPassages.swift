extension FencedArea {
    /// The parts of the shortest way between two places that lie in the area, as shares of its length, in their order.
    ///
    /// What lies about the middle of a part is settled as far as the border is away; what is left is looked at likewise. So a
    /// part may begin or end `tolerance` metres too early or too late, and one that is shorter may be left out. A way that keeps
    /// close to the border for long is told less exactly: after 2,000 looks at the area, or `most` steps, no part is looked at
    /// further, and the middle of each that is left settles it.
    ///
    /// - Complexity: for each time the way crosses the border, O(log(length / tolerance)) looks at the area; about `most` steps
    ///   in all, and a look at each of the parts that are left then, which are fewer than those before.
    public func passages(
        from start: Coordinate, to end: Coordinate, tolerance: Double, atMost most: Int = .max, steps: inout Int
    ) -> [ClosedRange<Double>] {
        let first = steps
        // A border that is farther from the end than the way is long is not crossed.
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
                    // What little would be settled is not worth another part.
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
