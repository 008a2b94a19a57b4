/// Reads tracks in JSON with one object per line: OwnTracks messages, raw or as recorded, or pings.
///
/// A line of the recorder has a time, the kind of message (`*` for a position) and the message, separated by tabs
/// (https://github.com/owntracks/recorder, "The .rec files").
package struct TrackLines: TrackReader {
    private var line: [UInt8] = []
    private var isOverlong = false
    private var number = 0
    private var shape = TrackShape()
    private var ignored = 0

    package var notes: [String] { shape.notes }
    package var others: Int { shape.others + ignored }

    package mutating func read(_ bytes: [UInt8], into items: inout [TrackItem]) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[start..<end])
            endLine(&items)
            start = end + 1
        }
        keep(bytes[start...])
    }

    package mutating func finish(into items: inout [TrackItem]) { endLine(&items) }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard line.count + bytes.count <= longestImportRow else {
            isOverlong = true
            return
        }
        line += bytes
    }

    private mutating func endLine(_ items: inout [TrackItem]) {
        defer {
            line.removeAll(keepingCapacity: true)
            isOverlong = false
        }
        number += 1
        let place = FilePlace(row: number)
        guard !isOverlong else { return items.append(.refused(place, .overlongRow)) }
        if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
        guard let first = line.first(where: { !$0.isJSONSpace }) else { return }
        let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
        let isRecorded = first != UInt8(ascii: "{") && parts.count == 3
        if isRecorded, parts[1].first(where: { $0 != 0x20 }) != UInt8(ascii: "*") {
            ignored += 1
            return
        }
        do throws(JSONText.Fault) {
            let json = try JSONText.value(of: isRecorded ? Array(parts[2]) : line)
            let time = isRecorded ? String(decoding: parts[0], as: UTF8.self) : nil
            shape.read(json, at: place, written: time, into: &items)
        } catch { items.append(.refused(place, .row("is not JSON: \(error.detail)"))) }
    }
}
