internal import Model

/// Reads tracks in NMEA 0183: the sentences RMC (time, date, position, speed, course), GGA (altitude, dilution) and ZDA
/// (date) of one time are one position.
package struct NMEAReader: TrackReader {
    /// Maximum size of a line, in bytes.
    private static let longest = 1000
    /// The least number of fields of the sentences that are read.
    private static let fewest = ["RMC": 10, "GGA": 10, "ZDA": 5]

    private var line: [UInt8] = []
    private var number = 0
    private var hasChecksums = false
    private var fix: NMEAFix?

    package private(set) var others = 0
    /// The sentences that are not read.
    private var unread = UnreadNames()

    package var notes: [String] { unread.notes() }

    package mutating func read(_ bytes: [UInt8], into items: inout [TrackItem]) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                endLine(isEnded: true, &items)
                if byte == UInt8(ascii: "\n") { number += 1 }
            } else if line.count < Self.longest {
                line.append(byte)
            }
        }
    }

    package mutating func finish(into items: inout [TrackItem]) {
        endLine(isEnded: false, &items)
        endFix(&items)
    }

    private mutating func endLine(isEnded: Bool, _ items: inout [TrackItem]) {
        guard !line.isEmpty else { return }
        defer { line.removeAll(keepingCapacity: true) }
        let place = FilePlace(row: number + 1, line: number + 1)
        do throws(FieldError) { try take(line, isEnded, at: place, &items) } catch {
            items.append(.refused(place, error))
        }
    }

    /// Reads a line, which may have the time of a log before its sentence.
    private mutating func take(
        _ line: [UInt8], _ isEnded: Bool, at place: FilePlace, _ items: inout [TrackItem]
    ) throws(FieldError) {
        guard let start = line.firstIndex(of: UInt8(ascii: "$")) else {
            if line.contains(where: { $0 > 0x20 }) { others += 1 }
            return
        }
        let sentence = line[(start + 1)...].prefix { $0 != UInt8(ascii: "*") }
        guard sentence.allSatisfy({ $0 < 0x80 }) else { throw .row("is not ASCII") }
        let fields = sentence.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let kind = String(fields[0].dropFirst(2))
        guard fields[0].count == 5, let fewest = Self.fewest[kind] else { return unread.add(fields[0]) }
        try check(sentence, line[sentence.endIndex...].dropFirst(), isEnded)
        guard fields.count >= fewest, let clock = Self.clock(fields[1]) else {
            // A receiver without a time has no position.
            if fields.count >= fewest, fields[1].isEmpty {
                others += 1
                return
            }
            throw .row("is not a whole sentence")
        }
        if fix?.clock != clock {
            endFix(&items)
            fix = NMEAFix(clock: clock, at: place)
        }
        fix?.take(kind, fields)
    }

    /// Compares the checksum, which is missing in all sentences or in none.
    private mutating func check(
        _ sentence: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>, _ isEnded: Bool
    ) throws(FieldError) {
        let written = String(decoding: rest.prefix { $0 > 0x20 }, as: UTF8.self)
        guard !written.isEmpty else {
            guard isEnded, !hasChecksums else { throw .row("has no checksum") }
            return
        }
        let sum = sentence.reduce(0, ^)
        guard written.count == 2, UInt8(written, radix: 16) == sum else {
            let right = String(sum, radix: 16, uppercase: true)
            throw .row("has the checksum '\(written.prefix(8))'; its text has \(sum < 16 ? "0" : "")\(right)")
        }
        hasChecksums = true
    }

    private mutating func endFix(_ items: inout [TrackItem]) {
        guard let fix else { return }
        self.fix = nil
        if let point = fix.point { items.append(.point(point)) } else { others += 1 }
    }

    /// Milliseconds since midnight for `hhmmss` with an optional fraction.
    private static func clock(_ text: String) -> Int? {
        guard let match = text.wholeMatch(of: Patterns.time), let hour = Int(match.1),
            let minute = Int(match.2), let second = Int(match.3), hour < 24, minute < 60, second < 60
        else { return nil }
        let fraction = match.4.flatMap { Double($0) } ?? 0
        return (hour * 3600 + minute * 60 + second) * 1000 + Int((fraction * 1000).rounded(.down))
    }
}

/// The sentences of one time.
private struct NMEAFix {
    private static let metersPerSecondOfKnot = 1852.0 / 3600

    let clock: Int
    private var read: TrackPoint
    private var date: (year: String, month: String, day: String)?
    private var isValid = true

    init(clock: Int, at place: FilePlace) {
        self.clock = clock
        read = TrackPoint(at: place)
    }

    /// The position; nil if the receiver had none.
    var point: TrackPoint? {
        guard isValid, read.latitude != nil || read.fault != nil else { return nil }
        var point = read
        if let date {
            var sawNoZone = false
            let seconds = clock / 1000
            let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            let fraction = String(1000 + clock % 1000).dropFirst()
            let text = "\(date.year)-\(date.month)-\(date.day)T\(parts.joined(separator: ":")).\(fraction)Z"
            point.time = TrackText.time(text, &sawNoZone)
        }
        return point
    }

    mutating func take(_ kind: String, _ fields: [String]) {
        switch kind {
        case "RMC":
            if fields[2] != "A" || fields.count > 12 && fields[12] == "N" { isValid = false }
            place(fields[3...6])
            read.speed = TrackText.number(fields[7]).map { $0 * Self.metersPerSecondOfKnot }
            read.heading = TrackText.number(fields[8])
            guard let match = fields[9].wholeMatch(of: Patterns.date) else { return }
            // NMEA began in 1983.
            date = ("\(match.3 < "80" ? "20" : "19")\(match.3)", String(match.2), String(match.1))
        case "GGA":
            if fields[6] == "0" { isValid = false }
            place(fields[2...5])
            if let dilution = TrackText.number(fields[8]) { read.take(dilution: dilution) }
            read.altitude = TrackText.number(fields[9])
        default: date = (fields[4], fields[3], fields[2])
        }
    }

    /// Reads degrees and minutes with their hemispheres, such as `3928.2,N,00022.58,W`.
    private mutating func place(_ fields: ArraySlice<String>) {
        let fields = Array(fields)
        guard fields.contains(where: { !$0.isEmpty }) else { return }
        guard let latitude = Self.degrees(fields[0], fields[1], "N", "S"),
            let longitude = Self.degrees(fields[2], fields[3], "E", "W")
        else {
            let detail = "is '\(fields.joined(separator: ",").prefix(40))'; must be degrees and minutes"
            read.fault = FieldError(pointer: "/lat", code: .type, detail: detail)
            return
        }
        (read.latitude, read.longitude) = (latitude, longitude)
    }

    private static func degrees(_ text: String, _ hemisphere: String, _ plus: String, _ minus: String) -> Double? {
        guard let match = text.wholeMatch(of: Patterns.angle), let degrees = Double(match.1),
            let minutes = Double(match.2), minutes < 60, hemisphere == plus || hemisphere == minus
        else { return nil }
        return (degrees + minutes / 60) * (hemisphere == plus ? 1 : -1)
    }
}

private enum Patterns {
    static let time = Pattern(#/(\d\d)(\d\d)(\d\d)(\.\d+)?/#)
    static let date = Pattern(#/(\d\d)(\d\d)(\d\d)/#)
    static let angle = Pattern(#/(\d{2,3})(\d\d(?:\.\d+)?)/#)
}
