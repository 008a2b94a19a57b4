internal import Foundation
internal import Geo

/// Where somebody was recorded, fix after fix.
struct Track: Sendable {
    struct Fix: Sendable {
        /// Seconds since the first fix of the track.
        var time: Double
        var place: Coordinate
        /// In metres; nil if it was not recorded.
        var accuracy: Double?
    }

    private(set) var fixes: [Fix] = []

    /// Reads the tracks of a file of pings, one for each person and device, without fixes at 0°, 0°.
    ///
    /// - Throws: for a file that cannot be read or has no columns `person`, `t`, `lat` and `lon`.
    static func read(_ path: String, atLeast shortest: Duration) throws -> [Track] {
        let lines = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8).split(
            whereSeparator: \.isNewline)
        let header = lines.first.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        func column(_ name: String) -> Int? { header.firstIndex { $0 == name } }
        guard let person = column("person"), let t = column("t"), let lat = column("lat"), let lon = column("lon")
        else {
            throw CocoaError(
                .fileReadCorruptFile, userInfo: [NSDebugDescriptionErrorKey: "\(path) is no file of pings"])
        }
        let (device, accuracy) = (column("device"), column("accuracy_m"))
        var tracks: [String: [(time: Double, fix: Fix)]] = [:]
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == header.count, let time = try? Date(String(fields[t]), strategy: .iso8601),
                let latitude = Double(fields[lat]), let longitude = Double(fields[lon]),
                latitude != 0 || longitude != 0,
                let place = try? Coordinate(latitude: latitude, longitude: longitude)
            else { continue }
            let key = "\(fields[person]) \(device.map { fields[$0] } ?? "")"
            let fix = Fix(time: 0, place: place, accuracy: accuracy.flatMap { Double(fields[$0]) })
            tracks[key, default: []].append((time.timeIntervalSince1970, fix))
        }
        return tracks.sorted { $0.key < $1.key }.map { Track($0.value) }.filter {
            $0.length >= Double(shortest.components.seconds)
        }
    }

    private init(_ recorded: [(time: Double, fix: Fix)]) {
        let sorted = recorded.sorted { $0.time < $1.time }
        let start = sorted.first?.time ?? 0
        fixes = sorted.map { Fix(time: $0.time - start, place: $0.fix.place, accuracy: $0.fix.accuracy) }
    }

    /// In seconds.
    var length: Double { fixes.last?.time ?? 0 }
}
