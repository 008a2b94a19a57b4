import Foundation
import Hours
import Laws
import Model
import TestSupport
import Testing

@Suite struct OpeningHoursLawTests {
    private static let zones = [
        "UTC", "Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Asia/Kathmandu",
        "Africa/Casablanca", "Pacific/Apia",
    ]
    private static let length = 6 * 1440

    @Test("State and next change agree with a minute-by-minute evaluation", arguments: 0..<8)
    func minuteByMinute(_ part: Int) throws {
        let seeds = RandomCases.seeds(0..<240)
        for index in stride(from: part, to: seeds.count, by: 8) { try check(seeds[index]) }
    }

    private func check(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plain = PlainHours(&random)
        let hours = OpeningHours(plain.text)
        let reported = "seed \(seed): \(plain.text)"
        try #require(hours.isUnderstood, "\(reported): \(hours.warnings)")
        let reading = try #require(hours.reading)
        #expect(OpeningHours(reading).reading == reading, "\(reported)")
        #expect(OpeningHours(plain.text(afterDates: ": ")).reading == reading, "\(reported)")
        let name = random.pick(Self.zones)
        let clock = try #require(WallClock.of(zone: name))
        let start = try start(name, &random)
        let states = try states(plain, name, from: start)
        var next: [Int?] = Array(repeating: nil, count: Self.length)
        for minute in (0..<Self.length - 1).reversed() {
            next[minute] = states[minute] == states[minute + 1] ? next[minute + 1] : minute + 1
        }
        func instant(_ minute: Int) -> Timestamp { start + .seconds(minute * 60) }
        for minute in 0..<Self.length where hours.state(at: instant(minute), by: clock) != states[minute] {
            Issue.record("\(reported): \(name), \(instant(minute)) is not \(states[minute])")
            return
        }
        for _ in 0..<40 {
            let minute = random.integer(0...Self.length - 1)
            let change = hours.status(at: instant(minute) + .seconds(random.integer(0...59)), by: clock).change
            if let expected = next[minute] {
                #expect(
                    change?.at == instant(expected) && change?.to == states[expected], "\(reported): \(name), \(minute)"
                )
            } else {
                #expect(change.map { $0.at >= instant(Self.length) } ?? true, "\(reported): \(name), \(minute)")
            }
        }
    }

    /// A whole minute, often shortly before a clock change.
    private func start(_ name: String, _ random: inout SeededGenerator) throws -> Timestamp {
        let zone = try #require(TimeZone(identifier: name))
        var seconds = random.integer(1_577_836_800...1_893_456_000) / 60 * 60
        let some = Date(timeIntervalSince1970: Double(seconds))
        if random.chance(0.6), let change = zone.nextDaylightSavingTimeTransition(after: some) {
            seconds = Int(change.timeIntervalSince1970) - random.integer(0...3 * 1440) * 60
        }
        return Timestamp(milliseconds: Int64(seconds) * 1000)
    }

    private func states(_ plain: PlainHours, _ name: String, from start: Timestamp) throws -> [OpeningState] {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        var days: [Int: PlainHours.Day] = [:]
        func day(_ number: Int) -> PlainHours.Day {
            if let known = days[number] { return known }
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday, .weekOfYear], from: date)
            let length = calendar.range(of: .day, in: .month, for: date)?.count ?? 0
            let day = PlainHours.Day(
                year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0,
                weekday: ((parts.weekday ?? 0) + 5) % 7, week: parts.weekOfYear ?? 0, length: length)
            days[number] = day
            return day
        }
        return (0..<Self.length).map { minute in
            let seconds = Int(start.milliseconds / 1000) + minute * 60
            let local = seconds + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            let number = local / 86_400
            return OpeningState(plain.state(day(number), day(number - 1), local % 86_400 / 60))
        }
    }
}

extension OpeningState {
    fileprivate init(_ state: PlainHours.State) {
        self =
            switch state {
            case .closed: .closed
            case .unknown: .unknown
            case .open: .open
            }
    }
}
