internal import CercaClient
internal import Geo
internal import Laws

/// A person with a phone, whose behavior depends on a random generator and the service's responses.
struct Member: Sendable {
    /// The shares of search types.
    private static let (friends, stores, strangers) = (0.5, 0.2, 0.15)
    private static let limits = [1, 3, 10, 20]

    let number: Int
    private var journey: Journey
    private var here: Journey.Instant?
    private var receiver: Receiver
    private var phone: Phone
    private var nextQuestion: SimulatedTime
    private var isOver = false
    private var chance: (receiver: SeededGenerator, phone: SeededGenerator, company: SeededGenerator)

    /// The due time, in simulated time, of the last request that ``next(in:)`` returned.
    private(set) var time: SimulatedTime
    /// The expected state of this person in the service.
    var model: ThrottleModel
    /// The expected fence events of this person.
    private(set) var fences: FenceModel
    /// Whether a response was lost, so that the state in the service is unknown.
    var isUncertain = false
    var digest = Digest()
    /// The number of fixes that the phone took, and of those that it did not send because of the hint.
    private(set) var fixes = 0
    private(set) var kept = 0
    /// A fix that the hint suppressed although it would have been stored or reported by a fence; there must be none.
    private(set) var wronglyKept: Fix?
    /// The number of suppressed fixes that fences would have reported, due to the lower bound of hints.
    private(set) var keptByFloor = 0

    init(_ number: Int, of plan: CrowdPlan) {
        self.number = number
        journey = plan.journey(of: number)
        chance = (
            SeededGenerator(seed: plan.choice.seed, person: number, .receiver),
            SeededGenerator(seed: plan.choice.seed, person: number, .phone),
            SeededGenerator(seed: plan.choice.seed, person: number, .company)
        )
        receiver = Receiver(using: &chance.receiver)
        phone = Phone(from: plan.choice.start, follows: plan.choice.follows, using: &chance.phone)
        model = ThrottleModel(plan.rules)
        fences = FenceModel(of: number, plan.fences, plan.rules)
        time = plan.choice.start
        nextQuestion = plan.choice.start
        nextQuestion = plan.choice.questions > 0 ? time + pause(in: plan) : SimulatedTime(milliseconds: .max)
    }

    private mutating func pause(in plan: CrowdPlan) -> Double {
        chance.company.exponential(mean: 3600 / plan.choice.questions)
    }

    /// The next request; nil at the end of the journey after everything is sent.
    ///
    /// It must be called only after the previous request was answered.
    mutating func next(in plan: CrowdPlan) -> Request? {
        while true {
            if let fixes = phone.next() { return .pings(fixes) }
            guard !isOver else { return nil }
            if let here, nextQuestion <= here.time {
                nextQuestion = here.time + pause(in: plan)
                if let question = question(at: here.place, in: plan) { return question }
                continue
            }
            guard let instant = journey.next() else {
                isOver = true
                phone.finish()
                continue
            }
            go(to: instant)
        }
    }

    mutating func follow(_ hint: Hint?) { phone.follow(hint) }

    /// Records fixes, and returns the expected verdicts.
    mutating func record(_ fixes: [Fix]) -> [String] {
        var judged = fences
        defer { fences = judged }
        return model.record(fixes) { judged.judge($0, after: $1) }
    }

    private mutating func go(to instant: Journey.Instant) {
        here = instant
        time = instant.time
        let fix =
            instant.isRecorded
            ? Fix(time: instant.time, place: instant.place, accuracy: instant.accuracy)
            : receiver.fix(at: instant.place, instant.time, using: &chance.receiver)
        if fix != nil { fixes += 1 }
        let fate = phone.take(fix, at: instant.time, using: &chance.phone)
        guard let fix, fate == .kept || fate == .keptOffline else { return }
        kept += 1
        guard fate == .kept, !isUncertain else { return }
        let rung = fences.rung(by: fix, after: model.newest)
        if rung.isByFloor { keptByFloor += 1 }
        if model.stores(fix) || (rung.isAny && !rung.isByFloor) { wronglyKept = fix }
    }

    private mutating func question(at place: Coordinate, in plan: CrowdPlan) -> Request? {
        let draw = chance.company.fraction()
        let limit = Self.limits[chance.company.index(below: Self.limits.count)]
        let choice = chance.company.next()
        let isKnown = model.last != nil
        switch draw {
        case ..<Self.friends: return isKnown ? .friends(limit: limit) : nil
        case ..<(Self.friends + Self.stores):
            let size = choice & 1 == 0 ? nil : Shops.sizes.lowerBound + Int(choice >> 8) % Shops.sizes.count
            return .stores(near: place, product: Int(choice >> 32) % Shops.products, size: size, limit: limit)
        case ..<(Self.friends + Self.stores + Self.strangers):
            guard isKnown, plan.profiles[number].isAdult else { return nil }
            return .strangers(within: [2_000, 10_000, 50_000][Int(choice % 3)], limit: limit)
        default:
            let fellows = plan.neighbours[plan.cities[number], default: []]
            guard plan.profiles[number].isAdult, let other = fellows.element(choice), other != number,
                plan.profiles[other].isAdult, plan.profiles[other].isDiscoverable
            else { return nil }
            return .like(other)
        }
    }
}

extension [Int] {
    fileprivate func element(_ choice: UInt64) -> Int? { isEmpty ? nil : self[Int(choice % UInt64(count))] }
}

/// A hash of everything sent: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
struct Digest: Hashable, Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    mutating func add(_ message: Message) {
        add(message.method.rawValue)
        add(message.path)
        if let body = message.body { add(body) }
    }

    mutating func add(_ other: Digest) { add(other.hex) }

    var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
