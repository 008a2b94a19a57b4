internal import Discovery
internal import Synchronization

/// The apps that Cerca understands, by the name in their paths.
enum PhoneProtocol: String, CaseIterable { case owntracks, osmand, overland, gpslogger }

/// What phones sent since the service was started.
final class PhoneCounts: Sendable {
    /// What came by one protocol.
    struct Tally {
        var requests: Int64 = 0
        /// Messages of other kinds, and receivers without a fix.
        var skipped: Int64 = 0
        var unreadable: Int64 = 0
        var verdicts: [Verdict: Int64] = [:]
    }

    private let tallies = Mutex<[PhoneProtocol: Tally]>([:])

    /// Counts a request and what became of its positions.
    func note(_ phone: PhoneProtocol, _ reading: PhoneReading, _ verdicts: [Verdict]) {
        tallies.withLock { tallies in
            tallies[phone, default: Tally()].requests += 1
            tallies[phone, default: Tally()].skipped += Int64(reading.skipped)
            tallies[phone, default: Tally()].unreadable += Int64(reading.unreadable)
            for verdict in verdicts { tallies[phone, default: Tally()].verdicts[verdict, default: 0] += 1 }
        }
    }

    subscript(phone: PhoneProtocol) -> Tally { tallies.withLock { $0[phone] } ?? Tally() }
}
