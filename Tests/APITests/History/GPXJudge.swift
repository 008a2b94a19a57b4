import Foundation
import FoundationXML

/// Reports where a document violates the schema of GPX 1.1 for tracks (https://www.topografix.com/GPX/1/1/gpx.xsd).
final class GPXJudge: NSObject, XMLParserDelegate {
    private(set) var faults: [String] = []
    private(set) var points = 0
    private(set) var segments = 0
    private var open: [(name: String, children: [String])] = []
    private var text = ""

    /// The possible child elements of an element, in order.
    private static let children = [
        "gpx": ["metadata", "wpt", "rte", "trk", "extensions"],
        "trk": ["name", "cmt", "desc", "src", "link", "number", "type", "extensions", "trkseg"],
        "trkseg": ["trkpt", "extensions"],
        "trkpt": [
            "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type", "fix", "sat",
            "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions",
        ],
    ]
    private static let repeatable: Set<String> = ["wpt", "rte", "trk", "trkseg", "trkpt", "link"]

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        if let parent = open.last {
            judge(name, in: parent)
        } else if name != "gpx" {
            faults.append("begins with \(name)")
        }
        if !open.isEmpty { open[open.count - 1].children.append(name) }
        open.append((name, []))
        switch name {
        case "gpx":
            if attributes["version"] != "1.1" || attributes["creator"]?.isEmpty != false
                || attributes["xmlns"] != "http://www.topografix.com/GPX/1/1"
            {
                faults.append("gpx \(attributes)")
            }
        case "trkpt":
            points += 1
            let latitude = attributes["lat"].flatMap(Double.init) ?? .nan
            let longitude = attributes["lon"].flatMap(Double.init) ?? .nan
            if !(-90...90).contains(latitude) || !(-180..<180).contains(longitude) {
                faults.append("trkpt \(attributes)")
            }
        case "trkseg": segments += 1
        default: break
        }
    }

    private func judge(_ name: String, in parent: (name: String, children: [String])) {
        guard !open.contains(where: { $0.name == "extensions" }) else {
            if !name.contains(":") { faults.append("\(name) is no extension: it is of GPX's own namespace") }
            return
        }
        guard let order = Self.children[parent.name], let place = order.firstIndex(of: name) else {
            return faults.append("\(name) in \(parent.name)")
        }
        if let last = parent.children.last, let before = order.firstIndex(of: last),
            before > place || before == place && !Self.repeatable.contains(name)
        {
            faults.append("\(name) after \(last)")
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
        if name == "time", text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) == nil {
            faults.append("time \(text)")
        }
        if name == "ele", Double(text) == nil { faults.append("ele \(text)") }
    }
}
