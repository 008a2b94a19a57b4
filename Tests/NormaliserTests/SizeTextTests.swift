import Model
import Normaliser
import Testing

/// Sizes as other programs and people write them.
@Suite struct SizeTextTests {
    @Test(
        "Decimal commas, blanks, inches, ranges and words are read",
        arguments: [
            ("37,5, 38,5, 39", "37.5 38.5 39"), ("36, 37,5, 38", "36 37.5 38"), ("37,5 / 38,5", "37.5 38.5"),
            ("37,5,38,5,39", "37.5 38.5 39"), ("36,37,38,5", "36 37 38.5"), ("36,37,38", "36 37 38"),
            (#"36, 37\,5, 38"#, "36 37.5 38"), (#"3\,5, 4, 4\,5"#, "3.5 4 4.5"), ("7,5 UK", "UK:7.5"),
            ("UK 4,5", "UK:4.5"), ("10,5", "10.5"), ("8,5 | 9,5", "8.5 9.5"), ("4,5; 5; 5,5", "4.5 5 5.5"),
            ("37,0; 38,0", "37 38"), ("3,4,5,6", "3 4 5 6"), ("36,5\n37", "36.5 37"),
            ("S M L", "S M L"), ("XS S M L XL XXL", "XS S M L XL XXL"), ("36 37 38", "36 37 38"), ("2 XL", "2XL"),
            ("EU 36 37 38", "EU:36 EU:37 EU:38"), ("36 EU 37 EU", "EU:36 EU:37"), ("36.5 37 37.5", "36.5 37 37.5"),
            ("One size", "ONESIZE"), ("12 months", "12MONTHS"),
            (#"20""#, "IN:20"), (#"20", 28""#, "IN:20 IN:28"), ("26″", "IN:26"), ("28 inch", "IN:28"),
            ("29 Zoll", "IN:29"), ("27,5\"", "IN:27.5"), ("24''", "IN:24"),
            ("S-L", "S M L"), ("XS–XL", "XS S M L XL"), ("S - XXL", "S M L XL XXL"), ("L-3XL", "L XL 2XL 3XL"),
            ("S a XL", "S M L XL"), ("36–41", "36 37 38 39 40 41"), ("36 — 38", "36 37 38"), ("36 bis 38", "36 37 38"),
            ("del 36 al 38", "36 37 38"), ("de 36 à 38", "36 37 38"), ("36 to 38", "36 37 38"), ("36…38", "36 37 38"),
            ("EU36-EU38", "EU:36 EU:37 EU:38"), ("38 y 39", "38 39"), ("38 und 39", "38 39"), ("38 & 39", "38 39"),
            ("Talla 38", "38"), ("Gr. 38, 39", "38 39"), ("98-104", "98-104"),
            ("UK 3,5 - 5", "UK:3.5 UK:4 UK:4.5 UK:5"),
            ("Talla única", "ONESIZE"), ("taille unique", "ONESIZE"), ("Taglia Unica", "ONESIZE"),
            ("Einheitsgröße", "ONESIZE"), ("one-size", "ONESIZE"), ("One size fits all", "ONESIZE"),
            (#"["36","37,5"]"#, "36 37.5"), ("[36, 37]", "36 37"), ("{36,37}", "36 37"), ("['S', 'M']", "S M"),
            ("O/S", "ONESIZE"), ("OS", "ONESIZE"), ("T.U.", "ONESIZE"), ("38,00", "38"), ("37,0", "37"),
            ("5-1/2", "5.5"),
            ("3,5 - 6", "3.5 4 4.5 5 5.5 6"), ("de la 36 a la 38", "36 37 38"), ("desde 36 hasta 38", "36 37 38"),
            ("EUR 36-38", "EU:36 EU:37 EU:38"), ("38/40", "38 40"), ("36/37/38", "36 37 38"), ("S/M", "S M"),
            ("EU 41 (UK 7.5)", "EU:41"), ("M (38-40)", "M"), ("Nº 38", "38"), ("10 EE", "10EE"),
            ("46,48,50", "46 48 50"),
            ("n/a", ""), ("N.A.", ""), ("-", ""), ("none", ""),
        ])
    func read(_ text: String, _ sizes: String) {
        let read = SizeText(text)
        #expect(read.sizes.map(\.text).joined(separator: " ") == sizes)
        #expect(read.unknown == [])
    }

    @Test(
        "A list that cannot be separated with certainty is unknown",
        arguments: [
            "37, 5, 38, 5", "36,7, 37,3", "38 5", "36 37 XL", "41-36", "L-S", "36-37-38", "8, 5, 9", "26\"-29\"",
            "36 2/3",
            "S M 38", "36:2,37:0", "34/32", "16/34", "US 7/EU 38", "98/104", "36-41, no 39", "36-41 sin 39",
            "36 al 38 excepto 37", "37, 38 agotado", "M agotado", "38 (agotado)", "36 (2), 37 (0)", "2/3 años",
            "3/6 mois", "S/38", "M (3)",
        ])
    func unknown(_ text: String) {
        let read = SizeText(text)
        #expect(read.sizes == [] && !read.unknown.isEmpty)
    }

    @Test("A single number with a comma is reported if it has two readings") func ambiguous() {
        #expect(SizeText("4,5").notes == ["'4,5' was read as 4 and 5; it may be 4.5"])
        #expect(SizeText("7,5").sizes.map(\.text) == ["7.5"])
    }
}
