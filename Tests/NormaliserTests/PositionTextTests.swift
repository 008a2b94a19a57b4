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
            ("gps", "39°30'N 0°30'O"), ("gps", "39°70'N 0°30'W"), ("utm", "30S 725000 4372000"),
        ])
    func unread(_ column: String, _ text: String) {
        let (position, notes) = place([column: text])
        #expect(position == "")
        let warns = notes.contains("warning: column '\(column)' looks like a position and was not read as one")
        #expect(warns == (text != "Calle Mayor 1" && !text.contains("70'")) || text.contains("70'"))
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
        #expect(place(["lat": "0°30'W", "lon": "39°30'N"]).position == "0°30'W 39°30'N")
    }

    @Test(
        "Columns with names of shops are read in other languages",
        arguments: [
            "Store", "Shop", "Magasin", "Boutique", "Geschäft", "Negozio", "Loja", "Winkel", "Botiga", "Laden",
            "Nome negozio", "Punto vendita",
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
