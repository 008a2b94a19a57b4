internal import Foundation
internal import Geo

/// A self-contained SVG drawing of a few true and stored tracks.
struct Picture {
    /// The drawing of one person.
    struct Panel {
        var title: String
        var way: [Coordinate]
        var stored: [Coordinate]
        var errors: Accounts.Errors
    }

    private static let columns = 3
    private static let size = (width: 300.0, height: 270.0)
    private static let margin = 14.0
    private static let head = 56.0
    /// The height of a panel's title and figures.
    private static let caption = 42.0
    private static let truth = "#3b6ea5"
    private static let kept = "#d9480f"

    let panels: [Panel]
    let heading: String

    var svg: String {
        let rows = (panels.count + Self.columns - 1) / Self.columns
        let width = Self.margin + Double(Self.columns) * (Self.size.width + Self.margin)
        let height = Self.head + Double(rows) * (Self.size.height + Self.margin)
        let drawn = panels.enumerated().map { index, panel in
            let x = Self.margin + Double(index % Self.columns) * (Self.size.width + Self.margin)
            let y = Self.head + Double(index / Self.columns) * (Self.size.height + Self.margin)
            return "<g transform=\"translate(\(Self.n(x)) \(Self.n(y)))\">\(Self.drawing(of: panel))</g>"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.n(width)) \(Self.n(height))" width="\(Self.n(width))" \
            height="\(Self.n(height))" font-family="system-ui, sans-serif" role="img" aria-label="\(Self.escaped(heading))">
            <rect width="100%" height="100%" rx="8" fill="#fdfdfb"/>
            <text x="\(Self.n(Self.margin))" y="24" font-size="15" font-weight="600" fill="#222">\(Self.escaped(heading))</text>
            <g font-size="12" fill="#444">
            <line x1="14" y1="40" x2="40" y2="40" stroke="\(Self.truth)" stroke-width="4" stroke-opacity="0.45"/>
            <text x="46" y="44">the true track</text>
            <line x1="196" y1="40" x2="222" y2="40" stroke="\(Self.kept)" stroke-width="1.3"/>
            <circle cx="209" cy="40" r="2.6" fill="\(Self.kept)"/>
            <text x="228" y="44">the stored positions</text>
            </g>
            \(drawn.joined(separator: "\n"))
            </svg>

            """
    }

    private static func drawing(of panel: Panel) -> String {
        let room = (width: size.width - 24, height: size.height - caption - 40)
        guard let origin = panel.way.first else { return "" }
        let all = (panel.way + panel.stored).map { flat($0, from: origin) }
        let (xs, ys) = (all.map(\.x), all.map(\.y))
        guard let west = xs.min(), let east = xs.max(), let south = ys.min(), let north = ys.max() else { return "" }
        let scale = min(room.width / max(east - west, 400), room.height / max(north - south, 400))
        func point(_ p: (x: Double, y: Double)) -> (x: Double, y: Double) {
            (
                size.width / 2 + (p.x - (west + east) / 2) * scale,
                caption + 8 + room.height / 2 - (p.y - (south + north) / 2) * scale
            )
        }
        func line(_ places: [Coordinate]) -> String {
            var drawn: [String] = []
            for place in places {
                let p = point(flat(place, from: origin))
                let text = "\(n(p.x)),\(n(p.y))"
                // Repeated points of a stationary person are skipped.
                if text != drawn.last { drawn.append(text) }
            }
            return drawn.joined(separator: " ")
        }
        let dots = panel.stored.map { place in
            let p = point(flat(place, from: origin))
            return "<circle cx=\"\(n(p.x))\" cy=\"\(n(p.y))\" r=\"2.4\"/>"
        }
        let (time, line2) = (panel.errors.inTime.summary, panel.errors.asGeometry.summary)
        return """
            <rect width="\(n(size.width))" height="\(n(size.height))" rx="6" fill="#fff" stroke="#d8d8d2"/>
            <text x="12" y="20" font-size="13" font-weight="600" fill="#222">\(escaped(panel.title))</text>
            <text x="12" y="36" font-size="11" fill="#666">mean error \(n(time.mean_m)) m in time, \(n(line2.mean_m)) m from the line</text>
            <polyline points="\(line(panel.way))" fill="none" stroke="\(truth)" stroke-width="4" stroke-opacity="0.45" \
            stroke-linejoin="round" stroke-linecap="round"/>
            <polyline points="\(line(panel.stored))" fill="none" stroke="\(kept)" stroke-width="1.3" stroke-linejoin="round"/>
            <g fill="\(kept)" stroke="#fff" stroke-width="0.6">\(dots.joined())</g>
            \(bar(scale))
            """
    }

    /// A scale bar of a round length in meters.
    private static func bar(_ scale: Double) -> String {
        let most = 90 / scale
        let power = pow(10, log10(most).rounded(.down))
        let metres = [5.0, 2, 1].map { $0 * power }.first { $0 <= most } ?? power
        let label = metres >= 1000 ? "\(n(metres / 1000)) km" : "\(n(metres)) m"
        let (y, end) = (size.height - 12, 12 + metres * scale)
        return """
            <path d="M12 \(n(y - 4))V\(n(y))H\(n(end))V\(n(y - 4))" fill="none" stroke="#444" stroke-width="1.2"/>
            <text x="\(n(end + 6))" y="\(n(y + 1))" font-size="11" fill="#444">\(label)</text>
            """
    }

    /// The azimuthal equidistant projection around a place, in meters east and north.
    private static func flat(_ place: Coordinate, from origin: Coordinate) -> (x: Double, y: Double) {
        let metres = Geodesic.distance(from: origin, to: place)
        let azimuth = Geodesic.bearing(from: origin, to: place) * .pi / 180
        return (metres * sin(azimuth), metres * cos(azimuth))
    }

    private static func n(_ number: Double) -> String {
        let rounded = (number * 10).rounded() / 10
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}

extension Picture {
    /// Draws six people with many positions and as many mobility models as possible.
    init(_ members: [Member], of plan: CrowdPlan) {
        let kinds = MovementKind.allCases.filter { $0 != .stationary }
        var chosen: [Member] = []
        for rank in 0..<6 {
            for kind in kinds where chosen.count < 6 {
                let rich = members.filter { plan.kinds[$0.number] == kind }.sorted {
                    ($1.model.points.count, $0.number) < ($0.model.points.count, $1.number)
                }
                // The tracks with the most positions would be unreadable.
                if rich.indices.contains(rank + rich.count / 12) { chosen.append(rich[rank + rich.count / 12]) }
            }
        }
        panels = chosen.map { member in
            var journey = plan.journey(of: member.number)
            var way: [Coordinate] = []
            while let instant = journey.next() { way.append(instant.place) }
            return Panel(
                title:
                    "\(plan.kinds[member.number].rawValue), \(member.model.points.count) of \(way.count) positions stored",
                way: way, stored: member.model.points.filter { !$0.isSuspect }.map(\.fix.place),
                errors: Accounts.errors(of: member.model.points, on: plan.journey(of: member.number)))
        }
        let hours = plan.choice.end.map { " of \(Int((($0 - plan.choice.start) / 3600).rounded())) hours" } ?? ""
        heading =
            "Tracks\(hours), stored every \(Int(plan.rules.distance)) m and \(Int(plan.rules.interval)) s at most"
    }
}
