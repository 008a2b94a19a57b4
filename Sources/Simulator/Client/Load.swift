internal import HeapModule
internal import Synchronization

/// The load generator, which starts each request when it is due, regardless of earlier ones.
struct Load: Sendable {
    let plan: CrowdPlan
    let exchange: Exchange
    let tally: Tally
    let pace: Pace
    let stop: StopSign

    /// - Returns: the final state of the people.
    func run() async -> [Member] {
        let agenda = Agenda()
        await withTaskGroup(of: Void.self) { group in
            for part in 0..<16 {
                group.addTask {
                    for person in stride(from: part, to: plan.people.count, by: 16) {
                        await goOn(Member(person, of: plan), agenda)
                    }
                }
            }
        }
        var pace = pace
        pace.begin(at: .now)
        await withDiscardingTaskGroup { group in
            while !stop.isUp {
                let turn = await agenda.next(through: pace.horizon)
                switch turn {
                case .over: return
                case .nobody: try? await Task.sleep(for: .milliseconds(2))
                case .member(let member, let request):
                    tally.move(to: member.time)
                    let due = pace.due(for: member.time)
                    if due > .now { try? await Task.sleep(until: due, tolerance: .zero) }
                    group.addTask {
                        var member = member
                        await exchange.perform(request, of: &member, due: due)
                        await goOn(member, agenda)
                    }
                }
            }
        }
        return await agenda.members
    }

    private func goOn(_ member: Member, _ agenda: Agenda) async {
        var member = member
        let request = member.next(in: plan)
        await agenda.put(member, request)
    }
}

/// A flag that stops the crowd.
final class StopSign: Sendable {
    private let flag = Atomic(false)

    var isUp: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}

/// The schedule of requests.
///
/// With a rate, requests are due at equal intervals in the order of their simulated times. This is an open loop,
/// because the duration of a response does not delay other requests. With a speed, the simulated clock runs faster than
/// the real clock by that factor until it has caught up, and then equally fast.
struct Pace: Sendable {
    enum Kind: Sendable {
        /// Requests per second.
        case rate(Double)
        /// Simulated seconds per second.
        case speed(Double, from: SimulatedTime)
    }

    private let kind: Kind
    private var start = ContinuousClock.now
    private var began = SimulatedTime.now
    private var count = 0

    init(_ kind: Kind) { self.kind = kind }

    mutating func begin(at start: ContinuousClock.Instant) {
        self.start = start
        began = .now
    }

    /// The simulated time up to which requests may start; nil for no limit.
    var horizon: SimulatedTime? {
        guard case .speed(let speed, let first) = kind else { return nil }
        let now = SimulatedTime.now
        return min(now, first + (now - began) * speed)
    }

    /// The due time of a request with a simulated time, which may be in the past.
    mutating func due(for time: SimulatedTime) -> ContinuousClock.Instant {
        switch kind {
        case .rate(let rate):
            defer { count += 1 }
            return start.advanced(by: .nanoseconds(Int64(Double(count) * 1e9 / rate)))
        case .speed(let speed, let first):
            let seconds = max((time - first) / speed, time - began)
            return start.advanced(by: .nanoseconds(Int64(seconds * 1e9)))
        }
    }
}

/// A priority queue of people by the simulated time of their next request.
actor Agenda {
    private var waiting: Heap<Waiting> = []
    private var retired: [Member] = []
    private var underWay = 0
    private var waiter: CheckedContinuation<Void, Never>?

    /// A person with a pending request; numbers are unique.
    private struct Waiting: Comparable {
        var member: Member
        var request: Request

        static func < (a: Waiting, b: Waiting) -> Bool {
            (a.member.time, a.member.number) < (b.member.time, b.member.number)
        }

        static func == (a: Waiting, b: Waiting) -> Bool { a.member.number == b.member.number }
    }

    enum Turn {
        case member(Member, Request)
        /// No request is due yet.
        case nobody
        case over
    }

    /// Returns a person with their next request, or nil if they are finished.
    func put(_ member: Member, _ request: Request?) {
        underWay = max(0, underWay - 1)
        if let request {
            waiting.insert(Waiting(member: member, request: request))
        } else {
            retired.append(member)
        }
        waiter?.resume()
        waiter = nil
    }

    /// Removes the person with the smallest simulated time, unless it is beyond the horizon; waits if all are in
    /// progress.
    func next(through horizon: SimulatedTime?) async -> Turn {
        while waiting.isEmpty, underWay > 0 {
            await withCheckedContinuation { waiter = $0 }
        }
        guard let first = waiting.min else { return .over }
        if let horizon, first.member.time > horizon { return .nobody }
        underWay += 1
        waiting.removeMin()
        return .member(first.member, first.request)
    }

    /// All people by number; must be read when no request is in progress.
    var members: [Member] { (retired + waiting.unordered.map(\.member)).sorted { $0.number < $1.number } }
}
