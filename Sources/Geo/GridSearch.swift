extension Grid {
    /// The entities nearest to a place, in the order of (geodesic distance rounded to 1 µm, bytes of the id).
    ///
    /// The result is exact on WGS 84 everywhere. A best-first search uses lower bounds of the chord, then the chord,
    /// then Karney's geodesic where chords are too close to decide.
    ///
    /// `ids` is used only for equal distances. The last condition, `isWanted`, is evaluated only for entities that are
    /// near enough and match everything else; it adds its cost to the steps.
    ///
    /// - Complexity: O(log count + limit) on average.
    public func nearest(
        _ query: NearestQuery, to origin: Coordinate, ids: borrowing Identifiers,
        where isWanted: (Int32, inout Int) -> Bool = { _, _ in true }
    ) -> NearestAnswer {
        guard query.limit > 0 else { return NearestAnswer(neighbours: []) }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Frontier.room) { frontier in
            withUnsafeTemporaryAllocation(of: Candidate.self, capacity: Candidates.room) { candidates in
                var search = GridSearch(query, from: origin, Frontier(frontier), candidates)
                let end = search.run(self, ids, isWanted)
                return search.answer(cutOffAt: end, ids)
            }
        }
    }
}

private struct GridSearch: ~Copyable {
    private let query: NearestQuery
    private let origin: Coordinate
    private let centre: EarthCentred
    private let point: SIMD3<Int32>
    private let ring: Ring
    private let caps: [Cap]?
    private var candidates: Candidates
    private var frontier: Frontier
    private var scanned = 0
    private var steps = 0
    /// Whether a leaf was left unfinished because the steps were used up.
    private var isBroken = false
    /// No cell with a greater squared bound, in m², can hold part of the answer.
    private var reach: Double

    init(
        _ query: NearestQuery, from origin: Coordinate, _ frontier: consuming Frontier,
        _ room: UnsafeMutableBufferPointer<Candidate>
    ) {
        self.frontier = frontier
        self.query = query
        self.origin = origin
        centre = EarthCentred(origin)
        point = GridEntity.quantized(centre)
        ring = Ring(query, around: origin)
        caps = query.region?.caps
        candidates = Candidates(limit: query.limit, reach: ring.farthest, room)
        reach = Self.metres²(ring.farthest)
    }

    /// The greatest squared bound of a cell, in m², that may hold an entity with this squared approximate chord.
    ///
    /// It includes the margin by which computed bounds may be too great.
    @inline(__always)
    private static func metres²(_ squared: Float) -> Double {
        let longest = ApproximateChord.longest(ApproximateChord.metres(squared)) + 2 * ChordBounds.margin
        return longest * longest
    }

    /// Searches until nothing nearer can remain, or a limit is reached.
    ///
    /// - Returns: a chord length, in meters, below which nothing was left out; infinite if nothing was.
    mutating func run(
        _ grid: borrowing Grid, _ ids: borrowing Identifiers, _ isWanted: (Int32, inout Int) -> Bool
    ) -> Double {
        let cell = CubePoint(centre)
        var node = Int32(cell.face.number)
        var arrivedFrom = GridNode.empty
        if ring.shortestChord == 0 {
            (node, arrivedFrom) = grid.home(of: cell)
            if arrivedFrom < 0, arrivedFrom != GridNode.empty { scan(~arrivedFrom, grid, ids, isWanted) }
            if isBroken { return 0 }
        }
        var escape = expand(node, except: arrivedFrom, 0, grid)
        while true {
            while !frontier.isEmpty, frontier.nearest <= min(reach, escape) {
                guard goesOn(beyond: frontier.nearest) else { return cutOff(at: frontier.nearest) }
                let (child, bound) = frontier.removeNearest()
                if child < 0 {
                    scan(~child, grid, ids, isWanted)
                    if isBroken { return cutOff(at: bound) }
                } else {
                    _ = expand(child, except: GridNode.empty, bound, grid)
                }
            }
            guard escape <= reach, escape < .infinity else { return .infinity }
            guard goesOn(beyond: escape) else { return cutOff(at: escape) }
            let above = grid.nodes.pointer(node).pointee.parent
            if above >= 0 {
                escape = expand(above, except: node, 0, grid)
                node = above
            } else {
                for face in CubeFace.all where face != cell.face { enterFace(face, grid) }
                escape = .infinity
            }
        }
    }

    /// Whether the limits allow the search to continue; the scan limit must if a cutoff would return nothing new.
    private func goesOn(beyond squaredBound: Double) -> Bool {
        steps < query.maxSteps && (scanned < query.maxScan || cutOff(at: squaredBound) <= ring.progress)
    }

    private func cutOff(at squaredBound: Double) -> Double {
        max(0, squaredBound.squareRoot() - ChordBounds.margin)
    }

    /// Adds the children of a node that may hold part of the answer to the frontier.
    ///
    /// - Returns: the square of a lower bound of the distance to everything outside the node, in m².
    private mutating func expand(
        _ number: Int32, except known: Int32, _ bound: Double, _ grid: borrowing Grid
    ) -> Double {
        let node = grid.nodes.pointer(number)
        steps += 5 + (caps?.count ?? 0)
        let face = CubeFace(number: Int(node.pointee.face))
        let walls = grid.wallDistances(node, face.axes(centre))
        let nearEnough = caps.map { caps in caps.map { ($0, grid.wallDistances(node, face.axes($0.centre))) } }
        var left = node.pointee.taken & walls.slots(within: reach.squareRoot())
        while left != 0 {
            let slot = left.trailingZeroBitCount
            let span = node.pointee.span(slot)
            let first = slot & ~(1 << (2 * span) - 1)
            left &= ~GridNode.mask(first, span)
            let child = node.pointee.children[slot]
            guard child != known, query.filter.matches(node.pointee.signatures[first]) else { continue }
            var squared = max(bound, walls.squaredBound(slot: first, span: span))
            if child >= 0, squared > Self.far {
                squared = max(squared, squaredBound(around: grid.nodes.pointer(child)))
            }
            guard squared <= reach else { continue }
            if let nearEnough,
                !nearEnough.contains(where: { Self.meets($0.0, $0.1.squaredBound(slot: first, span: span)) })
            {
                continue
            }
            if child >= 0, ring.shortestChord > 0, isTooNear(grid.nodes.pointer(child)) { continue }
            frontier.insert(child, squaredBound: squared)
        }
        return walls.escape * walls.escape
    }

    /// The squared distance, in m², beyond which a cell's bounding sphere gives a better bound than its walls.
    ///
    /// Seen from a quarter of the Earth away, all planes through its center pass near.
    private static let far = 1e12

    private func squaredBound(around node: UnsafeMutablePointer<GridNode>) -> Double {
        let bound = max(0, centre.chord(to: node.pointee.centre) - node.pointee.radius)
        return bound * bound
    }

    private static func meets(_ cap: Cap, _ squaredBound: Double) -> Bool {
        squaredBound.squareRoot() <= cap.radius + ChordBounds.margin
    }

    /// Whether every point of a node is nearer than the ring's start.
    private func isTooNear(_ node: UnsafeMutablePointer<GridNode>) -> Bool {
        centre.chord(to: node.pointee.centre) + node.pointee.radius < ring.shortestChord
    }

    private mutating func enterFace(_ face: CubeFace, _ grid: borrowing Grid) {
        let node = grid.nodes.pointer(Int32(face.number))
        let walls = grid.wallDistances(node, face.axes(centre))
        frontier.insert(Int32(face.number), squaredBound: walls.squaredBound(slot: 0, span: 3))
    }

    /// Compares the entities of a leaf, four at a time.
    @inline(__always)
    private mutating func scan(
        _ number: Int32, _ grid: borrowing Grid, _ ids: borrowing Identifiers, _ isWanted: (Int32, inout Int) -> Bool
    ) {
        let leaf = grid.leaves.pointer(number)
        steps += 1
        let count = Int(leaf.pointee.count)
        if ring.nearest <= 0 { scanned += count }
        let xs = UnsafeRawPointer(leaf.pointee.xs).assumingMemoryBound(to: SIMD4<Int32>.self)
        let ys = UnsafeRawPointer(leaf.pointee.ys).assumingMemoryBound(to: SIMD4<Int32>.self)
        let zs = UnsafeRawPointer(leaf.pointee.zs).assumingMemoryBound(to: SIMD4<Int32>.self)
        for group in 0..<(count + 3) / 4 {
            let Δx = SIMD4<Float>(xs[group] &- SIMD4(repeating: point.x))
            let Δy = SIMD4<Float>(ys[group] &- SIMD4(repeating: point.y))
            let Δz = SIMD4<Float>(zs[group] &- SIMD4(repeating: point.z))
            let squared = Δx * Δx + Δy * Δy + Δz * Δz
            // Entities that earlier pages examined are in cells that are visited again; they are not counted again.
            if ring.nearest > 0 {
                for lane in 0..<min(4, count - 4 * group) where squared[lane] >= ring.nearest { scanned += 1 }
            }
            let near = (squared .<= SIMD4(repeating: candidates.reach)) .& (squared .>= SIMD4(repeating: ring.nearest))
            guard any(near) else { continue }
            for lane in 0..<4 where near[lane] && squared[lane] <= candidates.reach {
                guard steps < query.maxSteps else {
                    isBroken = true
                    return
                }
                consider(4 * group + lane, squared[lane], leaf, ids, isWanted)
            }
        }
        reach = Self.metres²(candidates.reach)
    }

    @inline(__always)
    private mutating func consider(
        _ row: Int, _ squared: Float, _ leaf: UnsafeMutablePointer<GridLeaf>, _ ids: borrowing Identifiers,
        _ isWanted: (Int32, inout Int) -> Bool
    ) {
        guard row < Int(leaf.pointee.count), query.filter.matches(leaf.pointee.signatures[row]) else { return }
        let candidate = Candidate(
            squared: squared, handle: leaf.pointee.handles[row], place: leaf.pointee.place(row))
        steps += 1
        guard ring.holds(candidate, ids: ids), query.region?.contains(candidate.place, steps: &steps) ?? true,
            isWanted(candidate.handle, &steps)
        else { return }
        candidates.insert(candidate)
    }

    /// The ordered answer; if the search ended early, only the entities that nothing unseen can precede.
    func answer(cutOffAt end: Double, _ ids: borrowing Identifiers) -> NearestAnswer {
        var answer = NearestAnswer(neighbours: candidates.resolved(from: origin, ids: ids))
        answer.scanned = scanned
        answer.steps = steps
        guard end < .infinity else { return answer }
        let certain = Int64((ChordBounds.lower(end) * 1e6).rounded(.down))
        answer.neighbours = Array(
            answer.neighbours.prefix { Geodesic.micrometres(from: origin, to: $0.place) < certain })
        guard answer.neighbours.count < query.limit else { return answer }
        let end = KeysetPosition(micrometres: certain, id: "")
        answer.cutOff = query.after.flatMap { $0.micrometres >= certain ? $0 : nil } ?? end
        return answer
    }
}

extension Grid {
    /// The lowest node whose cell holds a point, and the leaf child there; ``GridNode/empty`` for none.
    fileprivate func home(of cell: CubePoint) -> (node: Int32, child: Int32) {
        var number = Int32(cell.face.number)
        while true {
            let node = nodes.pointer(number)
            let child = node.pointee.children[GridNode.slot(of: cell, atLevel: node.pointee.level)]
            guard child >= 0 else { return (number, child) }
            number = child
        }
    }

    @inline(__always)
    func wallDistances(
        _ node: UnsafeMutablePointer<GridNode>, _ axes: SIMD3<Double>
    ) -> GridWalls.Distances {
        node.pointee.walls.distances(axes, GridWalls.rotations[Int(node.pointee.level)])
    }
}
