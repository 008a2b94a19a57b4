internal import Foundation
internal import FoundationXML
package import Geo

package struct Track: Sendable {
    package struct Fix: Sendable {
        /// Seconds since the first fix of the track.
        package var time: Double
        package var place: Coordinate
        /// Meters; nil if it was not recorded.
        package var accuracy: Float?
    }

    /// The fixes with strictly increasing times.
    package private(set) var fixes: [Fix] = []

    package init() {}

    fileprivate init(_ recorded: [(time: Double, fix: Fix)]) {
        let sorted = recorded.sorted { $0.time < $1.time }
        let start = sorted.first?.time ?? 0
        for (time, fix) in sorted where fixes.isEmpty || time - start > (fixes.last?.time ?? 0) {
            fixes.append(Fix(time: time - start, place: fix.place, accuracy: fix.accuracy))
        }
    }

    /// The duration in seconds.
    var length: Double { fixes.last?.time ?? 0 }

    /// Reads the tracks of a GPX or CSV file that have a minimum duration in seconds, without fixes at 0°, 0°.
    ///
    /// A CSV file has the columns `t`, `lat`, `lon` and possibly `person`, `device` (or `track`, `vehicle_id`) and
    /// `accuracy_m`.
    ///
    /// - Throws: ``SimulatorError`` for a file without such tracks.
    package static func read(_ path: String, atLeast shortest: Double) throws -> [Track] {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw SimulatorError(description: "\(path) cannot be read: \(error.localizedDescription)")
        }
        let recorded = path.lowercased().hasSuffix(".gpx") ? try gpx(data, path) : try csv(data, path)
        let tracks = recorded.sorted { $0.key < $1.key }.map { Track($0.value) }.filter { $0.length >= shortest }
        guard !tracks.isEmpty else {
            throw SimulatorError(description: "\(path) has no track of \(Int(shortest)) seconds or more.")
        }
        return tracks
    }

    private typealias Recorded = [String: [(time: Double, fix: Fix)]]

    private static func seconds(_ text: some StringProtocol) -> Double? {
        Date(rfc3339: String(text))?.timeIntervalSince1970
    }

    private static func csv(_ data: Data, _ path: String) throws -> Recorded {
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        let header = lines.first.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        func column(_ name: String) -> Int? { header.firstIndex { $0 == name } }
        guard let t = column("t"), let lat = column("lat"), let lon = column("lon") else {
            throw SimulatorError(description: "\(path) has no columns t, lat and lon: it is not a file of positions.")
        }
        let names = ["person", "device", "track", "vehicle_id"].compactMap(column)
        let accuracy = column("accuracy_m")
        var tracks: Recorded = [:]
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == header.count, let time = seconds(fields[t]), let latitude = Double(fields[lat]),
                let longitude = Double(fields[lon]), latitude != 0 || longitude != 0,
                let place = try? Coordinate(latitude: latitude, longitude: longitude)
            else { continue }
            let key = names.map { fields[$0] }.joined(separator: " ")
            let fix = Fix(time: 0, place: place, accuracy: accuracy.flatMap { Double(fields[$0]) }.map(Float.rounded))
            tracks[key, default: []].append((time, fix))
        }
        return tracks
    }

    private static func gpx(_ data: Data, _ path: String) throws -> Recorded {
        let reading = GPXReading()
        let parser = XMLParser(data: data)
        parser.delegate = reading
        guard parser.parse() else {
            let reason = parser.parserError.map { "\($0)" } ?? "it is not XML"
            throw SimulatorError(description: "\(path), line \(parser.lineNumber): \(reason)")
        }
        return reading.tracks
    }

    /// Collects the `trkpt` of each `trk` that have a time.
    private final class GPXReading: NSObject, XMLParserDelegate {
        private(set) var tracks: Recorded = [:]
        private var track = 0
        private var place: Coordinate?
        private var time: Double?
        private var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            text = ""
            if name == "trk" { track += 1 }
            guard name == "trkpt", let lat = attributes["lat"].flatMap(Double.init),
                let lon = attributes["lon"].flatMap(Double.init)
            else { return }
            (place, time) = (try? Coordinate(latitude: lat, longitude: lon), nil)
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "time" { time = Track.seconds(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
            guard name == "trkpt" else { return }
            if let place, let time {
                let number = String(repeating: "0", count: max(0, 6 - String(track).count)) + String(track)
                tracks[number, default: []].append((time, Fix(time: 0, place: place, accuracy: nil)))
            }
            place = nil
        }
    }
}

extension Float {
    /// The value rounded to tenths, as phones report it.
    static func rounded(_ value: Double) -> Float { Float((value * 10).rounded() / 10) }
}
