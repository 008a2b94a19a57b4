import Testing

/// A model of the protocol of `LeftRight`: every interleaving of the steps of one writer and two readers.
@Suite struct LeftRightModelTests {
    @Test("No interleaving changes a copy while a reader holds it", arguments: [[0, 0], [0, 1]])
    func interleavings(stripes: [Int]) {
        let explored = explore(LeftRightModel(stripes: stripes))
        #expect(explored.violation == nil)
        #expect(explored.states > 500, "it does not stand still")
        #expect(explored.publishes == LeftRightModel.most, "the writer gets through")
    }

    /// Checks the model itself: it finds the violation when either wait is left out.
    @Test(
        "Without either wait a copy is changed while a reader holds it",
        arguments: LeftRightModel.Wait.allCases,
        [[0, 0], [0, 1]])
    func missingWait(wait: LeftRightModel.Wait, stripes: [Int]) {
        #expect(explore(LeftRightModel(stripes: stripes, without: wait)).violation != nil)
    }

    /// Explores all states that are reachable from `start`.
    private func explore(
        _ start: LeftRightModel
    ) -> (states: Int, publishes: Int, violation: LeftRightModel?) {
        var known: Set<LeftRightModel> = [start]
        var open = [start]
        var publishes = 0
        while let state = open.popLast() {
            if state.isTorn { return (known.count, publishes, state) }
            publishes = max(publishes, state.publishes)
            for next in state.successors where known.insert(next).inserted { open.append(next) }
        }
        return (known.count, publishes, nil)
    }
}

/// The contents of memory, and the next step of `LeftRight.read` or `LeftRight.publish` for each thread.
struct LeftRightModel: Hashable {
    /// The waits of `publish`: for the readers of epoch `1 - before` and of epoch `before`.
    enum Wait: CaseIterable { case forLateReaders, forReaders }

    /// The atomic steps of `read`, in order.
    private enum Reading: Hashable {
        case loadEpoch
        case addReader(epoch: Int)
        case loadPublished(epoch: Int)
        case body(epoch: Int, copy: Int)
    }

    /// The atomic steps of `draft` and `publish`, in order; a wait checks one stripe at a time.
    private enum Writing: Hashable {
        case draft
        case storePublished
        case waitForLateReaders(old: Int, stripe: Int)
        case storeEpoch(old: Int)
        case waitForReaders(old: Int, before: Int, stripe: Int)
        case catchUp(old: Int)
        case done
    }

    private var published = 0
    private var epoch = 0
    /// Number of readers by epoch and stripe.
    private var readers = [[0, 0], [0, 0]]
    private var writing = Writing.draft
    private var reading = [Reading.loadEpoch, .loadEpoch]
    /// Number of publications to explore, two from each epoch.
    static let most = 4
    /// Number of publications so far.
    private(set) var publishes = 0
    /// The stripe that each reader counts in.
    private let stripes: [Int]
    /// The wait that the writer leaves out.
    private let missing: Wait?

    init(stripes: [Int], without missing: Wait? = nil) {
        self.stripes = stripes
        self.missing = missing
    }

    /// Whether the writer is changing a copy that a reader holds.
    var isTorn: Bool {
        let changed: Int
        switch writing {
        case .draft: changed = 1 - published
        case .catchUp(let old): changed = old
        default: return false
        }
        return reading.contains { if case .body(_, changed) = $0 { true } else { false } }
    }

    /// The states after one more step of any thread that is not waiting.
    var successors: [LeftRightModel] {
        var successors = reading.indices.map { reader in
            var next = self
            next.read(reader)
            return next
        }
        var next = self
        next.write()
        if next != self { successors.append(next) }
        return successors
    }

    private mutating func read(_ reader: Int) {
        switch reading[reader] {
        case .loadEpoch: reading[reader] = .addReader(epoch: epoch)
        case .addReader(let epoch):
            readers[epoch][stripes[reader]] += 1
            reading[reader] = .loadPublished(epoch: epoch)
        case .loadPublished(let epoch): reading[reader] = .body(epoch: epoch, copy: published)
        case .body(let epoch, _):
            readers[epoch][stripes[reader]] -= 1
            reading[reader] = .loadEpoch
        }
    }

    private mutating func write() {
        switch writing {
        case .draft: writing = .storePublished
        case .storePublished:
            let old = published
            published = 1 - old
            writing =
                missing == .forLateReaders ? .storeEpoch(old: old) : .waitForLateReaders(old: old, stripe: 0)
        case .waitForLateReaders(let old, let stripe):
            guard readers[1 - epoch][stripe] == 0 else { return }
            writing = stripe == 0 ? .waitForLateReaders(old: old, stripe: 1) : .storeEpoch(old: old)
        case .storeEpoch(let old):
            let before = epoch
            epoch = 1 - before
            writing =
                missing == .forReaders ? .catchUp(old: old) : .waitForReaders(old: old, before: before, stripe: 0)
        case .waitForReaders(let old, let before, let stripe):
            guard readers[before][stripe] == 0 else { return }
            writing = stripe == 0 ? .waitForReaders(old: old, before: before, stripe: 1) : .catchUp(old: old)
        case .catchUp:
            publishes += 1
            writing = publishes < Self.most ? .draft : .done
        case .done: break
        }
    }
}
