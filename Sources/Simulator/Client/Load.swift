internal import HeapModule
internal import Synchronization

/// The crowd under way: lets each request begin when it is due, whatever became of those before.
struct Load: Sendable {
    let plan: CrowdPlan
    let exchange: Exchange
    let tally: Tally
    let pace: Pace
    let stop: StopSign

    /// - Returns: the people as they are at the end.
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

/// Whether the crowd shall stop.
final class StopSign: Sendable {
    private let flag = Atomic(false)

    var isUp: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}

/// When requests are due.
///
/// With a rate they are due one after the other at even distances, in the order of their simulated times: an open loop, for how
/// long an answer takes changes nothing about when the others begin. With a speed the simulated clock runs so many times as
/// fast as the real one, and as fast as that once it has caught up.
struct Pace: Sendable {
    enum Kind: Sendable {
        /// Requests a second.
        case rate(Double)
        /// Simulated seconds in a second.
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

    /// The simulated time up to which requests may begin; nil for any.
    var horizon: SimulatedTime? {
        guard case .speed(let speed, let first) = kind else { return nil }
        let now = SimulatedTime.now
        return min(now, first + (now - began) * speed)
    }

    /// When a request of a simulated time is due, which may be past.
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

/// Who is next: the people who wait, in the order of simulated time.
actor Agenda {
    private var waiting: Heap<Waiting> = []
    private var retired: [Member] = []
    private var underWay = 0
    private var waiter: CheckedContinuation<Void, Never>?

    /// Somebody who wants something at a simulated time; no two have the same number.
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
        /// Nobody is due yet.
        case nobody
        case over
    }

    /// A person is back, with what they want next, or for good.
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

    /// Takes the person whose simulated time is the least, if it is not beyond the horizon; waits for one to come back.
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

    /// Everybody, in the order of their numbers; to be asked for when nobody is under way.
    var members: [Member] { (retired + waiting.unordered.map(\.member)).sorted { $0.number < $1.number } }
}
