/// The known time of a person near a stored position, and its gaps.
public struct Stay: Codable, Hashable, Sendable {
    /// The longest time between two pings that counts as a stay; tracks are split likewise.
    public static let longestSilence = Duration.seconds(3600)
    /// The maximum number of gaps; beyond it the two oldest are merged.
    private static let mostGaps = 64

    /// An interval between two instants near the position, or after the last one, for which nothing is known.
    public struct Gap: Codable, Hashable, Sendable {
        /// The last instant before it at which the person was near.
        public var from: Timestamp
        /// The first instant after it; for an open gap it is after the end of the stay, and has no meaning.
        public var to: Timestamp

        package init(from: Timestamp, to: Timestamp) {
            self.from = from
            self.to = to
        }
    }

    /// The fix time of the position.
    public let since: Timestamp
    /// The latest time at which the person was near.
    public private(set) var until: Timestamp
    /// The gaps in chronological order; only the last may be open.
    public private(set) var gaps: [Gap]

    /// Creates a stay from its stored values.
    public init(since: Timestamp, until: Timestamp? = nil, gaps: [Gap] = []) {
        self.since = since
        self.until = until ?? since
        self.gaps = gaps
    }

    private var isOpen: Bool { gaps.last.map { $0.to > until } ?? false }

    /// Records that the person was near.
    public mutating func confirm(at time: Timestamp) {
        guard time > until else { return }
        if isOpen, let gap = gaps.popLast() {
            gaps.append(Gap(from: gap.from, to: time))
        } else if time - until > Self.longestSilence {
            gaps.append(Gap(from: until, to: time))
        }
        until = time
        if gaps.count > Self.mostGaps { gaps.replaceSubrange(..<2, with: [Gap(from: gaps[0].from, to: gaps[1].to)]) }
    }

    /// Records that the person was elsewhere, for an unknown time between the surrounding confirmations.
    public mutating func contradict(at time: Timestamp) {
        guard time > since else { return }
        if time > until {
            if !isOpen { gaps.append(Gap(from: until, to: time)) }
        } else if let piece = pieces.first(where: { $0.contains(time) }), piece.lowerBound < piece.upperBound {
            insert(Gap(from: piece.lowerBound, to: piece.upperBound))
        }
    }

    /// Removes what is known about an interval.
    ///
    /// - Returns: whether anything was known.
    public mutating func forget(_ times: Range<Timestamp>) -> Bool {
        guard !times.isEmpty, times.lowerBound > since, until >= times.lowerBound else { return false }
        let gap = Gap(from: times.lowerBound - .milliseconds(1), to: times.upperBound)
        let known = pieces
        guard known.contains(where: { $0.upperBound > gap.from && $0.lowerBound < gap.to }) else { return false }
        gaps.removeAll { $0.from >= gap.from && $0.to <= gap.to }
        if until < gap.to {
            until = known.last { $0.lowerBound <= gap.from }.map { min($0.upperBound, gap.from) } ?? since
            gaps.removeAll { $0.from >= until }
        }
        insert(Gap(from: min(gap.from, until), to: gap.to))
        return true
    }

    /// Inserts a gap, merged with the gaps it overlaps.
    private mutating func insert(_ gap: Gap) {
        let overlapping = gaps.filter { $0.from < gap.to && $0.to > gap.from } + [gap]
        gaps.removeAll { $0.from < gap.to && $0.to > gap.from }
        gaps.append(Gap(from: overlapping.map(\.from).min() ?? gap.from, to: overlapping.map(\.to).max() ?? gap.to))
        gaps.sort { $0.from < $1.from }
    }

    /// The start of the last of ``pieces``: from then to ``until`` the person is known to have been near without a gap.
    ///
    /// - Complexity: O(1).
    public var latestStart: Timestamp { (isOpen ? gaps.dropLast() : gaps[...]).last?.to ?? since }

    /// The times during which the person is known to have been near, in order.
    public var pieces: [ClosedRange<Timestamp>] {
        var pieces: [ClosedRange<Timestamp>] = []
        var start = since
        for gap in gaps {
            pieces.append(start...max(start, gap.from))
            if gap.to > until { return pieces }
            start = gap.to
        }
        return pieces + [start...max(start, until)]
    }
}
