import Normaliser
import TestSupport
import Testing

/// Positions in one column, and in degrees and minutes.
@Suite struct PositionTextTests {
    private func place(_ row: [String: String]) -> (position: String, notes: Set<String>) {
        let result = PlaceNormaliser(gazetteer: gazetteer).normalised(
            row.merging(["id": "1", "name": "A"]) { $1 })
        let position = [result.texts["lat"], result.texts["lon"]].compactMap(\.self).joined(separator: " ")
        return (position, result.notes)
    }

    @Test(
        "A position in one column is read",
        arguments: [
            ("WKT", "POINT (-0.3763 39.4699)", "39.4699 -0.3763"),
            ("geom", "point(-0.3763 39.4699)", "39.4699 -0.3763"),
            ("the_geom", "SRID=4326;POINT(-0.3763 39.4699)", "39.4699 -0.3763"),
            ("wkt", "POINT Z (-0.3763 39.4699 12)", "39.4699 -0.3763"),
            ("coordinates", "39.4699, -0.3763", "39.4699 -0.3763"),
            ("Coordenadas", "39.4699,-0.3763", "39.4699 -0.3763"),
            ("Koordinaten", "39,4699; -0,3763", "39.4699 -0.3763"), ("GPS", "39.4699 -0.3763", "39.4699 -0.3763"),
            ("Coordonnées", "39,4699 / -0,3763", "39.4699 -0.3763"),
            ("latlng", "(39.4699, -0.3763)", "39.4699 -0.3763"),
            ("lng_lat", "-0.3763, 39.4699", "39.4699 -0.3763"), ("position", "39,4699, -0,3763", "39.4699 -0.3763"),
            ("location", "geo:39.4699,-0.3763", "39.4699 -0.3763"),
            ("location", "lat: 39.4699, lon: -0.3763", "39.4699 -0.3763"),
            ("anything", #"{"type":"Point","coordinates":[-0.3763,39.4699]}"#, "39.4699 -0.3763"),
            ("coordinates", "39.4699° N, 0.3763° W", "39.4699 -0.3763"), ("gps", "N39.5 W0.5", "39.5 -0.5"),
            ("gps", #"39°30'00"N 0°30'00"W"#, "39.5 -0.5"), ("gps", "39°30'N, 0°30'W", "39.5 -0.5"),
            ("gps", "39° 30.0' N / 0° 30.0' E", "39.5 0.5"), ("gps", "0°30'W 39°30'N", "39.5 -0.5"),
            ("gps", "39 30 00.0 N 0 30 00 W", "39.5 -0.5"), ("gps", "39:30:00 N, 0:30:00 W", "39.5 -0.5"),
            ("gps", "39.5 Norte, 0.5 Oeste", "39.5 -0.5"), ("gps", "39,5° Nord 0,5° Ost", "39.5 0.5"),
            ("gps", "33.87 Sur / 58.38 Oeste", "-33.87 -58.38"), ("coordinates", "39, -4", "39 -4"),
            ("gps", "Latitud: 39.4699 Longitud: -0.3763", "39.4699 -0.3763"),
            ("gps", "Longitud: -0.3763, Latitud: 39.4699", "39.4699 -0.3763"),
            ("Longitud, Latitud", "-0.3763, 39.4699", "39.4699 -0.3763"),
            ("Coordenadas (lat, lon)", "39.4699, -0.3763", "39.4699 -0.3763"), ("latlng", "39,47", "39 47"),
            ("gps", "N 39° 30′ 0″, W 0° 30′ 0″", "39.5 -0.5"), ("gps", "39°30'0\", -0°30'0\"", "39.5 -0.5"),
        ])
    func read(_ column: String, _ text: String, _ position: String) {
        #expect(place([column: text]).position == position)
    }

    @Test(
        "A text that is not certainly a position is not read",
        arguments: [
            ("location", "Calle Mayor 1"), ("coordinates", "[-0.3763, 39.4699]"), ("note", "39.4699, -0.3763"),
            ("geom", "POLYGON ((0 0, 1 0, 1 1, 0 0))"), ("geom", "SRID=25830;POINT(725000 4372000)"),
            ("coordinates", "-0.3763,39.4699,12"), ("geo", "39,47"), ("area", "POLYGON((0 0, 1 0, 1 1, 0 0))"),
            ("gps", "39°30'N 0°30'O"), ("gps", "39°70'N 0°30'W"), ("utm", "30S 725000 4372000"),
        ])
    func unread(_ column: String, _ text: String) {
        let (position, notes) = place([column: text])
        #expect(position == "")
        let warns = notes.contains("warning: column '\(column)' looks like a position and was not read as one")
        #expect(warns == (text != "Calle Mayor 1" && !text.contains("70'")) || text.contains("70'"))
    }

    @Test(
        "Whole numbers are no position outside of columns of coordinates",
        arguments: [
            ("location", "12/34"), ("position", "3,12"), ("shape", "10 20"), ("point", "10;20"), ("ubicacion", "4 1"),
            ("location", "E 12 N 3"), ("location", "Este 12 Norte 3"), ("position", "3.5, 12"),
        ])
    func whole(_ column: String, _ text: String) {
        #expect(place([column: text]).position == "")
    }

    @Test(
        "A column of the hemisphere gives the sign, or the position is dropped",
        arguments: [
            (["N/S": "S", "E/W": "W"], "-33.87 -58.38"), (["N/S": "N", "E/W": "E"], "33.87 58.38"),
            (["lat_dir": "S", "lon_dir": "W"], "-33.87 -58.38"),
            (["LatRef": "South", "LonRef": "West"], "-33.87 -58.38"),
            (["Hemisferio lat": "Sur", "Hemisferio lon": "Oeste"], "-33.87 -58.38"),
            (["ns": "s", "ew": "w"], "-33.87 -58.38"),
            (["Latitude hemisphere": "S"], "-33.87 58.38"), (["hemisphere": "S"], "-33.87 58.38"),
            (["N/S": "S", "E/O": "O"], "-33.87 -58.38"), (["N/S": "S", "O/W": "O"], "-33.87 58.38"),
            (["lon_dir": "O"], ""), (["N/S": "W"], ""), (["N/S": "N/A"], ""),
            (["size": "S", "we": "open"], "33.87 58.38"), (["late_opening": "S"], "33.87 58.38"),
            (["long_stay": "N"], "33.87 58.38"), (["S/N": "12345"], "33.87 58.38"), (["wo": "Nord"], "33.87 58.38"),
            (["N/S store": "none"], "33.87 58.38"), (["latest": "S", "lonely": "w"], "33.87 58.38"),
            (["Latitude (N/S)": "S", "Longitude (E/W)": "W"], "-33.87 -58.38"),
            (["N/S indicator": "S"], "-33.87 58.38"),
            (["GPSLatitudeRef": "S", "latitudehemisphere": "S"], "-33.87 58.38"),
            (["Breite Richtung": "Süd"], "-33.87 58.38"),
            (["Longitud (E u O)": "O"], "33.87 -58.38"), (["Longitud Este/Oeste": "Oeste"], "33.87 -58.38"),
            (["Latitud Norte/Sur": "Sur"], "-33.87 58.38"), (["Longitude East/West": "West"], "33.87 -58.38"),
            (["Latitude Nord/Sud": "Sud"], "-33.87 58.38"), (["lat_north_south": "S"], "-33.87 58.38"),
            (["lon_suffix": "W"], "33.87 -58.38"), (["longitude_ew_code": "W"], "33.87 -58.38"),
            (["lat_cardinal_point": "S"], "-33.87 58.38"), (["Länge Ost/West": "O"], "33.87 58.38"),
            (["South/North": "S"], "-33.87 58.38"), (["Latitud (S/N)": "S"], "-33.87 58.38"),
            (["store latitude ref": "S"], ""), (["shop_lon_dir": "W"], ""), (["latitude1_dir": "S"], ""),
            (["shop_long_dir": "W"], ""), (["lon_verified": "N"], "33.87 58.38"),
            (["S/N": "S"], "33.87 58.38"), (["S/N": "N"], "33.87 58.38"), (["W/E": "closed"], "33.87 58.38"),
        ])
    func hemispheres(_ columns: [String: String], _ position: String) {
        #expect(place(columns.merging(["latitude": "33.87", "longitude": "58.38"]) { $1 }).position == position)
    }

    @Test("A sign that contradicts the hemisphere drops the position, and one that agrees is kept") func signs() {
        #expect(place(["lat": "-33.87", "lon": "58.38", "N/S": "S"]).position == "-33.87 58.38")
        #expect(place(["lat": "-33.87", "lon": "58.38", "N/S": "N"]).position == "")
        #expect(place(["lat": "33°30'S", "lon": "58.38", "N/S": "S"]).position == "-33.5 58.38")
        #expect(place(["lat": "33°30'S", "lon": "58.38", "N/S": "N"]).position == "")
        #expect(place(["lat": "33,87", "lon": "58,38", "N/S": "S", "E/W": "W"]).position == "-33.87 -58.38")
        let result = PlaceNormaliser(gazetteer: gazetteer).normalised([
            "id": "1", "lat": "33.87", "lon": "9", "N/S": "S",
        ])
        #expect(result.remarks.map(\.detail) == ["'33.87' was read as -33.87, as 'N/S' is 'S'"])
    }

    @Test("A long text is read as no position, and blanks in a row are one") func long() {
        let blanks = String(repeating: " ", count: 400)
        #expect(place(["coordinates": "POINT (\(blanks)-0.37\(blanks)39.47)"]).position == "39.47 -0.37")
        #expect(place(["coordinates": "39.47,\(blanks)\(blanks)\(blanks)-0.37"]).position == "")
        #expect(place(["lat": "39°\(blanks)28' N", "lon": "0"]).position.hasPrefix("39°"))
        let area = "POLYGON((" + String(repeating: "1 1, ", count: 400) + "1 1))"
        #expect(place(["area": area]).notes.contains { $0.hasPrefix("warning: column 'area' looks like a position") })
    }

    @Test(
        "A word for nothing in place of a position costs the position, not the place", arguments: ["N/A", "-", "null"])
    func absent(_ text: String) {
        let result = PlaceNormaliser(gazetteer: gazetteer).normalised(["id": "1", "lat": text, "lon": "-0.37"])
        #expect(result.texts["lat"] == nil && result.texts["lon"] == nil && !result.remarks.isEmpty)
    }

    @Test("x and y are degrees only as fractions within their bounds") func axes() {
        #expect(place(["x": "-0.3763", "y": "39.4699"]).position == "39.4699 -0.3763")
        #expect(place(["Coord_X": "-0,3763", "Coord_Y": "39,4699"]).position == "39.4699 -0.3763")
        for (x, y) in [("100", "20"), ("725000.5", "4372000.5"), ("39.4699", "-120.5")] {
            let (position, notes) = place(["x": x, "y": y])
            #expect(position == "" && notes.contains { $0.hasPrefix("warning: column 'x'") })
        }
    }

    @Test("Latitude and longitude in degrees and minutes are read, each on its own axis") func degrees() {
        #expect(place(["lat": #"39°30'00"N"#, "lon": #"0°30'00"W"#]).position == "39.5 -0.5")
        #expect(place(["latitud": "39° 30' N", "longitud": "0° 30' W"]).position == "39.5 -0.5")
        #expect(place(["lat": "39.5 Norte", "lon": "0.5 Oeste"]).position == "39.5 -0.5")
        #expect(place(["Latitude (deg)": "39.5", "GPS Longitude": "-0.5"]).position == "39.5 -0.5")
        #expect(place(["lat": "0°30'W", "lon": "39°30'N"]).position == "0°30'W 39°30'N")
    }

    @Test(
        "Columns with names of shops are read in other languages",
        arguments: [
            "Store", "Shop", "Magasin", "Boutique", "Geschäft", "Negozio", "Loja", "Winkel", "Botiga", "Laden",
            "Nome negozio", "Punto vendita", "Location name", "Branch name", "Nombre de tienda", "Establecimiento",
            "Nom magasin", "Raison sociale", "Firma", "Filiale",
        ])
    func names(_ column: String) {
        let result = PlaceNormaliser(gazetteer: gazetteer).normalised(["id": "1", column: "Zapatos Sol"])
        #expect(result.texts["name"] == "Zapatos Sol")
    }

    @Test("OpenStreetMap's shop is a category") func category() {
        let result = PlaceNormaliser(gazetteer: gazetteer).normalised(["id": "1", "shop": "shoes", "brand": "Sol"])
        #expect(result.texts["name"] == "Sol" && result.texts["category"] == "shoes")
    }
}
