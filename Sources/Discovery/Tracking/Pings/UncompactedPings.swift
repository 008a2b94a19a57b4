internal import Algorithms
internal import Geo
internal import Model
internal import Storage

/// Stored positions that are not in the table of pings yet, by person; none is suspect.
struct PingLogTail: Sendable {
    private var pings: [PersonNumber: UncompactedPings] = [:]

    /// The people with such positions.
    var people: [PersonNumber] { Array(pings.keys) }

    subscript(person: PersonNumber) -> UncompactedPings { pings[person] ?? UncompactedPings() }

    mutating func insert(_ logged: LoggedPing) {
        pings[logged.ping.person, default: UncompactedPings()].insert(logged)
    }

    /// Records a stay that is in the table now, where compaction skips it.
    mutating func keep(_ key: PingKey, _ stay: Stay, of person: PersonNumber) {
        change(person) { $0.keep(key, stay) }
    }

    /// Removes positions that are deleted, or no longer trusted.
    mutating func erase(_ keys: Set<PingKey>, of person: PersonNumber) { change(person) { $0.erase(keys) } }

    /// Drops positions of log rows up to `logNumber`, which are in the table now.
    mutating func forget(through logNumber: Int64, of person: PersonNumber) {
        change(person) { pings in
            WorkBudget.count(20 + pings.pings.count)
            pings.forget(through: logNumber)
        }
    }

    mutating func forget(_ person: PersonNumber) { pings[person] = nil }

    private mutating func change(_ person: PersonNumber, _ change: (inout UncompactedPings) -> Void) {
        guard let place = pings.index(forKey: person) else { return }
        change(&pings.values[place])
        if pings.values[place].isEmpty { pings.remove(at: place) }
    }
}

/// A person's stored positions that are not in the table yet, by time and sequence.
struct UncompactedPings: Sendable {
    private(set) var pings: [LoggedPing] = []

    var isEmpty: Bool { pings.isEmpty }

    fileprivate mutating func insert(_ logged: LoggedPing) {
        if let last = pings.last, last.ping.key > logged.ping.key {
            pings.insert(logged, at: position(after: (logged.ping.time, logged.ping.sequence)))
        } else {
            pings.append(logged)
        }
    }

    func contains(_ key: PingKey) -> Bool { index(of: key) != nil }

    subscript(key: PingKey) -> LoggedPing? { index(of: key).map { pings[$0] } }

    private func index(of key: PingKey) -> Int? {
        let after = position(after: (key.time, key.sequence))
        return after > 0 && pings[after - 1].ping.key == key ? after - 1 : nil
    }

    fileprivate mutating func keep(_ key: PingKey, _ stay: Stay) {
        if let index = index(of: key) { pings[index].ping.stay = stay }
    }

    fileprivate mutating func erase(_ keys: Set<PingKey>) { pings.removeAll { keys.contains($0.ping.key) } }

    fileprivate mutating func forget(through logNumber: Int64) { pings.removeAll { $0.logNumber <= logNumber } }

    /// The pings from the latest time not after `time` to the first ping after it, including excepted ones in between.
    ///
    /// - Complexity: O(log count + excepted).
    func neighbours(around time: Timestamp, except: Set<PingKey> = []) -> ArraySlice<LoggedPing> {
        let split = position(after: (time, .max))
        let latest = pings[..<split].last { !except.contains($0.ping.key) }?.ping.time
        let first = latest.map { position(after: ($0 - .milliseconds(1), .max)) } ?? 0
        let after = pings[split...].firstIndex { !except.contains($0.ping.key) } ?? pings.count - 1
        return pings[first..<after + 1]
    }

    private func position(after key: (Timestamp, UInt8)) -> Int {
        pings.partitioningIndex { ($0.ping.time, $0.ping.sequence) > key }
    }
}
