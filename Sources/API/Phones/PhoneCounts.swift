internal import Discovery
internal import Synchronization

/// The supported apps, by the name in their paths.
enum PhoneProtocol: String, CaseIterable { case owntracks, osmand, overland, gpslogger }

/// Counts the messages of phones since the service started.
final class PhoneCounts: Sendable {
    /// The counts of one protocol.
    struct Tally {
        var requests: Int64 = 0
        /// Messages of other kinds, and receivers without a fix.
        var skipped: Int64 = 0
        var unreadable: Int64 = 0
        /// The unreadable messages whose time has a name that is not read.
        var unreadTimes: Int64 = 0
        /// The positions whose accuracy has a name or a form that is not read.
        var unreadAccuracies: Int64 = 0
        /// The unreadable messages whose time is wrong by a rollover of the GPS week.
        var rolledOver: Int64 = 0
        var verdicts: [Verdict: Int64] = [:]
    }

    private let tallies = Mutex<[PhoneProtocol: Tally]>([:])

    /// Counts a request and the verdicts on its positions.
    func note(_ phone: PhoneProtocol, _ reading: PhoneReading, _ verdicts: [Verdict]) {
        tallies.withLock { tallies in
            tallies[phone, default: Tally()].requests += 1
            tallies[phone, default: Tally()].skipped += Int64(reading.skipped)
            tallies[phone, default: Tally()].unreadable += Int64(reading.unreadable)
            tallies[phone, default: Tally()].unreadTimes += Int64(reading.unreadTimes.count)
            tallies[phone, default: Tally()].unreadAccuracies += Int64(reading.unreadAccuracies.count)
            tallies[phone, default: Tally()].rolledOver += Int64(reading.rolledOver)
            for verdict in verdicts { tallies[phone, default: Tally()].verdicts[verdict, default: 0] += 1 }
        }
    }

    subscript(phone: PhoneProtocol) -> Tally { tallies.withLock { $0[phone] } ?? Tally() }
}
