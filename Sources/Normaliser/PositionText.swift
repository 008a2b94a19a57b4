internal import Foundation
internal import Model

/// A position written as one text: a pair of numbers, degrees and minutes, WKT, GeoJSON or a `geo` URI.
package enum PositionText {
    /// The columns whose pair of numbers is a position, with the name that gives the order of the numbers.
    package static let columns = [
        "coordinates", "coordinate", "coords", "coord", "latlng", "lat_lng", "latlon", "lat_lon", "lat_long", "latlong",
        "latitude_longitude", "position", "location", "geo", "geopoint", "geo_point", "geo_point_2d", "geolocation",
        "geo_location", "geo_coordinates", "gps", "gps_coordinates", "gps_position", "coordenadas", "coordenadas_gps",
        "ubicacion", "posicion", "koordinaten", "geokoordinaten", "gps_koordinaten", "coordonnees", "coordonnees_gps",
        "coordinate_gps", "posizione", "coordinate_geografiche", "posicao", "localizacao", "coordinaten", "locatie",
        "map_coordinates", "point", "wkt", "geom", "the_geom", "geometry", "shape",
    ]
    /// The columns among them whose name allows no other numbers, so that whole ones are degrees too.
    static let coordinates = columns.filter { name in
        ["coord", "koord", "coorden", "lat"].contains { name.contains($0) }
    }
    package static let longitudeFirst = [
        "lon_lat", "lng_lat", "lonlat", "lnglat", "long_lat", "longlat", "longitude_latitude",
    ]
    /// The columns of a longitude and a latitude as x and y.
    static let pairs = [
        ("x", "y"), ("coord_x", "coord_y"), ("x_coord", "y_coord"), ("point_x", "point_y"), ("pos_x", "pos_y"),
        ("coordenada_x", "coordenada_y"), ("x_wgs84", "y_wgs84"), ("geo_x", "geo_y"),
    ]

    /// The longest text of a position, and of one in degrees and minutes, in bytes.
    ///
    /// Longer ones are read as none, because the patterns search them several times.
    private static let longest = 1000
    private static let longestDegrees = 100

    /// A text with one blank in place of several.
    private static func spaced(_ text: String) -> String { text.replacing(Patterns.spaces, with: " ") }

    /// Whether a column that names both axes, such as `Coordenadas (lat,lon)`, has the latitude first; nil for another.
    static func order(of folded: String) -> Bool? {
        let parts = folded.split(separator: "_")
        guard let latitude = parts.firstIndex(where: { ["lat", "latitude", "latitud", "latitudine"].contains($0) }),
            let longitude = parts.firstIndex(where: {
                ["lon", "lng", "long", "longitude", "longitud", "longitudine"].contains($0)
            })
        else { return nil }
        return latitude < longitude
    }

    /// The decimal degrees of a position.
    ///
    /// - Parameters:
    ///   - text: the position.
    ///   - order: whether the latitude is first in a pair of bare numbers; nil to read no such pair.
    ///   - allowsWhole: whether the numbers may be whole; elsewhere `12/34` may be a house and a door.
    /// - Returns: the latitude and the longitude; nil for another text, and for one whose order is not certain.
    static func read(
        _ text: String, latitudeFirst order: Bool?, allowsWhole: Bool = false
    ) -> (latitude: String, longitude: String)? {
        guard text.utf8.count <= longest else { return nil }
        let text = spaced(text)
        let hasPoint = text.contains(Patterns.pointType)
        if let (x, y) = pair(text, Patterns.pointWKT) ?? (hasPoint ? pair(text, Patterns.pointJSON) : nil) {
            return (plain(y), plain(x))
        }
        if let (latitude, longitude) = pair(text, Patterns.geoURI) ?? pair(text, Patterns.named) {
            return (plain(latitude), plain(longitude))
        }
        if let (longitude, latitude) = pair(text, Patterns.namedReversed) { return (plain(latitude), plain(longitude)) }
        if let marked = marked(Hemisphere.lettered(text), allowsWhole) { return marked }
        guard let order, let (first, second) = bare(text, allowsWhole) else { return nil }
        return order ? (first, second) : (second, first)
    }

    /// Whether a text may be a position, even if its order is not certain.
    static func isLikely(_ text: String) -> Bool {
        if spaced(String(text.prefix(longestDegrees))).contains(Patterns.wellKnownText) { return true }
        guard text.utf8.count <= longest else { return false }
        let text = spaced(text)
        if read(text, latitudeFirst: nil) != nil { return true }
        if text.contains(Patterns.degrees), text.contains(Patterns.axisLetter) { return true }
        let inner = text.replacing(Patterns.brackets, with: "")
        return inner.contains(Patterns.decimals)
            && (bare(inner, true) != nil || inner.wholeMatch(of: Patterns.triple) != nil)
    }

    /// Degrees of one axis, such as `39°28'11.6"N` or `39,47`, as decimal degrees.
    static func degrees(_ text: String, isLatitude: Bool) -> String? {
        guard text.utf8.count <= longestDegrees, let part = part(Hemisphere.lettered(text)),
            part.isLatitude == nil || part.isLatitude == isLatitude
        else {
            return nil
        }
        return written(part.value)
    }

    /// A position whose parts name their axis by a letter; O is not read, because it is west or east.
    private static func marked(
        _ text: String, _ allowsWhole: Bool
    ) -> (latitude: String, longitude: String)? {
        guard text.utf8.count <= longestDegrees else { return nil }
        for pattern in Patterns.marked {
            guard let (first, second) = pair(text, pattern),
                allowsWhole || [first, second].allSatisfy({ $0.contains(Patterns.fraction) }), let one = part(first),
                let other = part(second),
                let isFirst = one.isLatitude, let isSecond = other.isLatitude, isFirst != isSecond
            else { continue }
            return isFirst ? (written(one.value), written(other.value)) : (written(other.value), written(one.value))
        }
        return nil
    }

    private static func bare(_ text: String, _ allowsWhole: Bool) -> (String, String)? {
        let inner = text.replacing(Patterns.parentheses, with: "")
        if let (first, second) = pair(inner, Patterns.commaPair) ?? pair(inner, Patterns.pointPair) {
            let hasFractions = [first, second].allSatisfy { $0.contains { ".,".contains($0) } }
            guard allowsWhole || hasFractions || inner.contains("°") else { return nil }
            return (plain(first), plain(second))
        }
        let parts = inner.split { ",;/|".contains($0) }
        guard parts.count == 2, inner.contains("°"), let one = part(String(parts[0])),
            let other = part(String(parts[1])),
            one.isLatitude == nil, other.isLatitude == nil
        else { return nil }
        return (written(one.value), written(other.value))
    }

    /// The value of an axis in degrees, minutes and seconds, and the axis if a letter names it.
    private static func part(_ text: String) -> (value: Double, isLatitude: Bool?)? {
        guard text.utf8.count <= longestDegrees, let match = signed(spaced(text)).wholeMatch(of: Patterns.axis),
            match.1.isEmpty || match.6.isEmpty
        else {
            return nil
        }
        func decimal(_ text: Substring?) -> Double? {
            guard let text else { return 0 }
            return Double(text.replacing(",", with: "."))
        }
        guard let degrees = decimal(match.3), let minutes = decimal(match.4), let seconds = decimal(match.5),
            minutes < 60, seconds < 60, match.4 == nil || degrees == degrees.rounded()
        else { return nil }
        let letter = (match.1 + match.6).uppercased()
        let isNegative = ["-", "−"].contains(match.2) != ["S", "W"].contains(letter)
        guard letter.isEmpty || match.2.isEmpty else { return nil }
        let value = degrees + minutes / 60 + seconds / 3600
        return (isNegative ? -value : value, letter.isEmpty ? nil : ["N", "S"].contains(letter))
    }

    /// A text with the signs of degrees, minutes and seconds instead of blanks or colons, if a letter names its axis.
    private static func signed(_ text: String) -> String {
        guard let match = text.wholeMatch(of: Patterns.blanks),
            (match.1 + match.5).contains(where: \.isLetter)
        else { return text }
        return "\(match.1)\(match.2)°\(match.3)'\(match.4)\"\(match.5)"
    }

    private static func pair(
        _ text: String, _ pattern: Pattern<(Substring, Substring, Substring)>
    ) -> (String, String)? {
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        return (String(match.1), String(match.2))
    }

    private static func plain(_ text: String) -> String {
        text.replacing("−", with: "-").replacing("+", with: "").replacing(",", with: ".")
    }

    /// Degrees with 7 decimals at most, which is a centimeter.
    private static func written(_ value: Double) -> String { String((value * 1e7).rounded() / 1e7) }
}

private enum Patterns {
    static let spaces = Pattern(#/\s+/#)
    static let pointWKT = Pattern(
        #/(?i)\s*(?:SRID=4326;)?\s*POINT\s*Z?M?\s*\(\s*([-+−]?\d{1,3}(?:\.\d+)?)\s+([-+−]?\d{1,3}(?:\.\d+)?)(?:\s+[-\d.]+){0,2}\s*\)\s*/#
    )
    static let pointJSON = Pattern(
        #/\s*\{.*"coordinates"\s*:\s*\[\s*([-+−]?\d{1,3}(?:\.\d+)?)\s*,\s*([-+−]?\d{1,3}(?:\.\d+)?)\s*(?:,[^\]]*)?\].*\}\s*/#
    )
    static let geoURI = Pattern(
        #/(?i)\s*geo:([-+−]?\d{1,3}(?:\.\d+)?),([-+−]?\d{1,3}(?:\.\d+)?)(?:[,;?].*)?/#)
    static let named = Pattern(
        #/(?i)\s*lat(?:itud[eo]?|itudine)?\s*[:=]?\s*([-+−]?\d{1,3}(?:\.\d+)?)[,;\s]+lon?n?g?(?:itud[eo]?|itudine)?\s*[:=]?\s*([-+−]?\d{1,3}(?:\.\d+)?)\s*/#
    )
    static let namedReversed = Pattern(
        #/(?i)\s*lon?n?g?(?:itud[eo]?|itudine)?\s*[:=]?\s*([-+−]?\d{1,3}(?:\.\d+)?)[,;\s]+lat(?:itud[eo]?|itudine)?\s*[:=]?\s*([-+−]?\d{1,3}(?:\.\d+)?)\s*/#
    )
    /// Two parts with the letters of their axes: behind the numbers or before them, latitude or longitude first.
    static let marked = [
        Pattern(#/\s*(.*?\d.*?[NSns])[\s,;\/]*([^NSns]*\d[^NSns]*[EWew])\s*/#),
        Pattern(#/\s*(.*?\d.*?[EWew])[\s,;\/]*([^EWew]*\d[^EWew]*[NSns])\s*/#),
        Pattern(#/\s*([NSns][^EWew]*\d[^EWew]*?)[\s,;\/]*([EWew].*\d.*?)\s*/#),
        Pattern(#/\s*([EWew][^NSns]*\d[^NSns]*?)[\s,;\/]*([NSns].*\d.*?)\s*/#),
    ]
    static let pointPair = Pattern(
        #/\s*([-+−]?\d{1,3}(?:\.\d+)?)\s*°?\s*(?:[,;\/|]|\s)\s*([-+−]?\d{1,3}(?:\.\d+)?)\s*°?\s*/#)
    static let commaPair = Pattern(
        #/\s*([-+−]?\d{1,3},\d{2,})\s*°?(?:\s*[;\/|]\s*|,?\s+)([-+−]?\d{1,3},\d{2,})\s*°?\s*/#)
    static let pointType = Pattern(#/"type"\s*:\s*"Point"/#)
    static let wellKnownText = Pattern(#/(?i)^\s*(?:SRID=\d+;)?\s*(?:MULTI)?(?:POINT|POLYGON|LINESTRING)\s*Z?M?\s*\(/#)
    static let degrees = Pattern(#/\d\s*[°º]/#)
    static let axisLetter = Pattern(#/[NSEWO]/#)
    static let brackets = Pattern(#/^\s*\[|\]\s*$/#)
    static let decimals = Pattern(#/\d[.,]\d{2,}/#)
    /// With an altitude; KML has the longitude first there, and others the latitude.
    static let triple = Pattern(#/\s*(?:[-+−]?\d{1,3}\.\d+\s*,\s*){2}[-+−]?\d{1,5}(?:\.\d+)?\s*/#)
    /// A sign of degrees or minutes, or a fraction.
    static let fraction = Pattern(#/[°º˚'′’´:]|\d[.,]\d|\d\s+\d/#)
    static let parentheses = Pattern(#/^\s*\(|\)\s*$/#)
    static let axis = Pattern(
        #/\s*([NSEWnsew]?)\s*([-+−]?)(\d{1,3}(?:[.,]\d+)?)\s*[°º˚]?\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:['′’´]|$|(?=[NSEWnsew]))\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|''|′′|’’)?\s*)?([NSEWnsew]?)\s*/#
    )
    static let blanks = Pattern(#/(\D*)(\d{1,3})[\s:]+(\d{1,2})[\s:]+(\d{1,2}(?:[.,]\d+)?)(\D*)/#)
}
