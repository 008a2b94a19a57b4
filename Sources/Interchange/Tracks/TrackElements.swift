/// Reads tracks in JSON (GeoJSON, Google's timeline in its forms, and lists of pings, of Traccar's positions and of
/// OwnTracks' messages) an element at a time.
package struct TrackElements: TrackReader {
    /// The lists whose items are read one at a time, in GeoJSON, the files of Google's timeline, and answers of OwnTracks'
    /// recorder.
    package static let lists = ["features", "locations", "semanticSegments", "rawSignals", "timelineObjects", "data"]

    /// Maximum size of an element, in bytes.
    private static let longest = 8 << 20

    private var elements = JSONElements(lists: lists, longest: longest)
    private var shape = TrackShape()
    private var row = 0

    package var notes: [String] { shape.notes }
    package var others: Int { shape.others }

    package mutating func read(_ bytes: [UInt8], into items: inout [TrackItem]) throws(BrokenTrack) {
        var index = 0
        do throws(JSONText.Fault) {
            while let element = try elements.next(bytes, &index) { take(element, &items) }
        } catch { throw BrokenTrack(error) }
    }

    package mutating func finish(into items: inout [TrackItem]) throws(BrokenTrack) {
        do throws(JSONText.Fault) { try elements.finish() } catch { throw BrokenTrack(error) }
    }

    private mutating func take(_ element: JSONElements.Element, _ items: inout [TrackItem]) {
        var place = FilePlace(row: row + 1, byte: element.start)
        guard let bytes = element.bytes else {
            row += 1
            return items.append(.refused(place, .row("has more than \(Self.longest) bytes: split it")))
        }
        do throws(JSONText.Fault) {
            let count = items.count
            shape.read(try JSONText.value(of: bytes), at: place, into: &items)
            for index in items.indices[count...] {
                row += 1
                items[index].place.row = row
            }
        } catch {
            row += 1
            place.byte = element.start + error.byte
            items.append(.refused(place, .row("is not JSON: \(error.detail)")))
        }
    }
}

extension TrackItem {
    /// The position of the item in the file.
    package var place: FilePlace {
        get {
            switch self {
            case .point(let point): point.place
            case .refused(let place, _): place
            }
        }
        set {
            switch self {
            case .point(var point):
                point.place = newValue
                self = .point(point)
            case .refused(_, let error): self = .refused(newValue, error)
            }
        }
    }
}

extension BrokenTrack {
    fileprivate init(_ fault: JSONText.Fault) { self.init(detail: fault.detail, byte: fault.byte) }
}
