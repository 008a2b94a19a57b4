import Foundation
import Model
import Normaliser
import TestSupport
import Testing

@Suite struct NormaliserTests {
    private let lexicon = Lexicon()

    @Test(
        "Colors are found in any inflection, in English and Spanish",
        arguments: [
            ("Rojo", "red"), ("ROJAS", "red"), ("marrón y NEGRO", "brown, black"), ("azul marino", "navy"),
            ("Midnight Navy", "navy"), ("ash grey", "grey"), ("Moss Grey", "grey"), ("ash", "grey"),
            ("black and white", "black, white"), ("Reduced", ""), ("verde oliva", "green"),
        ])
    func colorWords(_ text: String, _ colors: String) {
        #expect(lexicon.standards(in: text, .color).joined(separator: ", ") == colors)
    }

    @Test("Materials, categories, and genders are found") func otherWords() {
        #expect(lexicon.standards(in: "Zapatillas de lona y piel para MUJER", .material) == ["canvas", "leather"])
        #expect(lexicon.standards(in: "Women's running shoes", .category) == ["running"])
        #expect(lexicon.standards(in: "Women’s boots", .gender) == ["female"])
        #expect(lexicon.standards(in: "Size M, w/ laces", .gender).isEmpty)
        #expect(lexicon.standards(in: "patent leather", .material) == ["patent leather"])
    }

    @Test("Words of a search are grouped with their synonyms") func synonymGroups() {
        func groups(_ text: String) -> String {
            lexicon.groups(of: text.split(separator: " ").map(String.init)).map { group in
                ([group.typed] + group.others).map { $0.joined(separator: "+") }.joined(separator: "|")
            }.joined(separator: " ")
        }
        #expect(
            groups("zapatos de salon rojos")
                == "zapatos+de+salon|court+shoe|court+shoes|high+heels|pump|pumps|salones|tacones|zapato+de+salon"
                + " rojos|red|reds|roja|rojas|rojo|rot|rote|roter|rotes|rouge|rouges")
        #expect(
            groups("zapatos baratos")
                == "zapatos|calzado|chaussure|chaussures|footwear|sabata|sabates|sapato|sapatos|scarpa|scarpe|schoen|schoenen"
                + "|schuh|schuhe|shoe|shoes|zapato baratos")
        #expect(groups("crimson w m 37") == "crimson w m 37")
        #expect(groups("mujer").hasPrefix("mujer|female|") && !groups("mujer").contains("|w|"))
        #expect(groups("") == "")
    }

    @Test("A filter value expands to the synonyms of its kind, and a shade only to the base color's plain words")
    func filterSynonyms() {
        #expect(lexicon.synonyms(ofAny: ["rojo"], .color).starts(with: ["red", "carmesi", "cereza", "cherry"]))
        #expect(
            lexicon.synonyms(ofAny: ["crimson"], .color).prefix(7) == [
                "red", "red", "reds", "roja", "rojas", "rojo", "rojos",
            ])
        #expect(lexicon.synonyms(ofAny: ["gore tex"], .material).first == "gore-tex")
        #expect(lexicon.synonyms(ofAny: ["rojo"], .material) == [])
        #expect(lexicon.synonyms(ofAny: ["zapatos"], .category) == [])
        #expect(Set(lexicon.synonyms(ofAny: ["rojjo", "rojo", "azul"], .color)).isSuperset(of: ["red", "blue"]))
    }

    @Test("A table of words extends the lexicon, and its errors name their line") func extending() throws {
        var own = lexicon
        try own.add("kind,standard,words,shades\ncolor,lava,lavas;rojo volcan,\n\nmaterial,horsehair,crin,\n")
        #expect(own.standards(in: "Rojo Volcán", .color) == ["lava"])
        #expect(own.standards(in: "crin", .material) == ["horsehair"])
        for (table, line) in [
            ("color,red,rojo,", 1), ("kind,standard,words,shades\ncolor,red", 2),
            ("kind,standard,words,shades\nshape,round,redondo,", 2), ("kind,standard,words,shades\ncolor,-,x,", 2),
        ] {
            var broken = lexicon
            let error = #expect(throws: Lexicon.LineError.self) { try broken.add(table) }
            #expect(error?.line == line)
        }
    }

    @Test(
        "Sizes are read in their usual notations",
        arguments: [
            ("2, 2, ., 5", "2 2.5"), ("1, 0, 1, 0, ., 5, 1, 1", "10 10.5 11"), ("3, 4, 3, 5, 3, 6", "34 35 36"),
            ("3, ., 5, 4, 4, ., 5", "3.5 4 4.5"), ("5, 6, 7", "5 6 7"), ("4, ., 5, 4", ""),
            ("EU 37, 38", "EU:37 EU:38"),
            ("UK4;UK 4,5", "UK:4 UK:4.5"), ("37 EU/38 EU", "EU:37 EU:38"), ("37½, 38 1/2", "37.5 38.5"),
            ("S, M, XL", "S M XL"),
            ("EU 36-39", "EU:36 EU:37 EU:38 EU:39"), ("37,5", "37.5"), ("4,5", "4 5"), ("US 7.0, US 7", "US:7"),
            ("M, ???", "M"), ("36 2/3, 37 1/3, 38", "38"), ("36⅔", ""), ("30,52", "30 52"), ("30,52;31", "30 52 31"),
            ("EU 36.5-38", "EU:36.5 EU:37 EU:37.5 EU:38"), ("36.0, 37.00, 37.50", "36 37 37.5"),
        ])
    func sizeTexts(_ text: String, _ sizes: String) {
        #expect(SizeText(text).sizes.map(\.text).joined(separator: " ") == sizes)
    }

    @Test(
        "Prices are read in their usual notations",
        arguments: [
            ("$105-132", "10500 13200 USD guess"), ("1.299,00 EUR", "129900 129900 EUR"), ("€ 49.95", "4995 4995 EUR"),
            ("1,299.00 USD", "129900 129900 USD"), ("1.299 €", "129900 129900 EUR"), ("12,5 €", "1250 1250 EUR"),
            ("$92–$106", "9200 10600 USD guess"), ("$33–68 (clearance)", "3300 6800 USD guess"),
            ("¥5,000 JPY", "5000 5000 JPY"),
            ("1 299,00 €", "129900 129900 EUR"), ("$49.95 CAD", "4995 4995 CAD"),
            ("1.234.567,89 EUR", "123456789 123456789 EUR"),
            ("12.50 KWD", "12500 12500 KWD"), ("1.500 KWD", "1500 1500 KWD"), ("59,900 TND", "59900 59900 TND"),
            ("1,299.500 KWD", "1299500 1299500 KWD"), ("49 €95", nil), ("49 95 €", nil), ("79 € 49 €", nil),
            ("$120 $80", nil), ("$105 - $132", "10500 13200 USD guess"), ("1'299.00 EUR", "129900 129900 EUR"),
            ("49, 95 €", nil), ("49.95", nil), ("1.2.3 €", nil), ("free", nil), ("€5 $6", nil),
            ("9-5 €", nil), ("59.9000 EUR", "5990 5990 EUR"), ("129.000000 EUR", "12900 12900 EUR"), ("1.2990 €", nil),
            ("1.50000 KWD", "1500 1500 KWD"),
            ("1,29,900 €", nil), ("-5 €", nil), ("", nil), ("12.345,678 €", nil),
        ])
    func priceTexts(_ text: String, _ price: String?) {
        let reported = PriceText(text).map {
            "\($0.least) \($0.greatest) \($0.currency.code)\($0.isGuess ? " guess" : "")"
        }
        #expect(reported == price, "\(text)")
    }

    /// The work for each grows linearly with its length.
    @Test("Prices and sizes that are too long are dropped with a remark") func tooLong() throws {
        let euro = try #require(Currency("EUR"))
        #expect(PriceText("49.95" + String(repeating: "(", count: 190), currency: euro) == nil)
        #expect(PriceText("49.95 (a) (b", currency: euro) == nil)
        #expect(PriceText("(now) 49.95 (was (59)", currency: euro)?.least == 4995)
        #expect(PriceText("49.95" + String(repeating: " ", count: 195), currency: euro)?.least == 4995)
        #expect(PriceText("49.95" + String(repeating: " ", count: 196), currency: euro) == nil)
        let long = String(repeating: "(", count: 50_000)
        let result = ProductNormaliser(lexicon: lexicon, currency: euro).normalised([
            "id": "1", "name": "A", "price": long, "sizes": long,
        ])
        #expect(result.price == nil && result.lists["sizes"] == nil)
        #expect(
            result.remarks.map(\.detail) == [
                "'\(long.prefix(60))…' was read as none",
                "'\(long.prefix(60))…' has more than 1000 characters",
                "'\(long.prefix(60))…' has more than 200 characters",
            ])
    }

    @Test("A row's currency decides ambiguous signs but does not override a currency code") func currencies() throws {
        let dollars = try #require(Currency("CAD"))
        #expect(PriceText("$5", currency: dollars)?.currency == dollars)
        #expect(PriceText("5", currency: dollars)?.least == 500)
        #expect(PriceText("5 EUR", currency: dollars) == nil)
        // Signs that dollars do not use.
        for text in ["£40", "¥12000", "€5"] { #expect(PriceText(text, currency: dollars) == nil) }
        #expect(PriceText("¥12", currency: Currency("CNY"))?.least == 1200)
        let catalogue = ProductNormaliser(lexicon: lexicon, currency: Currency("EUR"))
        let pounds = catalogue.normalised(["id": "1", "name": "A", "price": "£40"])
        #expect(pounds.price == 4000 && pounds.texts["currency"] == "GBP")
        #expect(pounds.remarks.map(\.kind) == [.guessed])
        let own = catalogue.normalised(["id": "1", "name": "A", "price": "£40", "currency": "EUR"])
        #expect(own.price == nil && own.remarks.map(\.detail) == ["'£40' is not in the currency EUR"])
    }

    @Test("A messy row is corrected, and every change has a remark") func remarks() {
        let result = ProductNormaliser(lexicon: lexicon).normalised([
            "marca": "Off-White", "model_name": "Off-White (W) Bota ANTE", "colour_name": "Rojo/Cascade",
            "available_sizes": "3, 5, 3, 6", "price_range": "$105-132", "box_shape": "square", "notes": "",
        ])
        #expect(
            result.texts == [
                "id": "off-white-off-white-w-bota-ante", "brand": "Off-White", "name": "Off-White (W) Bota ANTE",
                "gender": "female", "category": "boot", "currency": "USD",
            ])
        #expect(
            result.lists == ["colors": ["red", "Cascade"], "materials": ["suede"], "sizes": ["35", "36"]])
        #expect(result.price == 10500 && result.others == ["box_shape": "square"])
        #expect(
            result.remarks.map { "\($0.field) \($0.kind): \($0.detail)" } == [
                "colors changed: 'Rojo/Cascade' was read as red, Cascade",
                "materials guessed: suede is in the name",
                "gender guessed: female is in the name, as (W)", "category guessed: boot is in the name",
                "sizes guessed: the broken list '3, 5, 3, 6' was read as 35, 36",
                "price guessed: '$105-132' was read as 10500 USD in minor units, the minimum of a range up to 13200; other currencies also have this sign",
                "id guessed: 'off-white-off-white-w-bota-ante' was made from brand and name",
            ])
    }

    @Test("Missing values are found in the description, and correct values are kept") func description() {
        let messy = ProductNormaliser(lexicon: lexicon).normalised([
            "id": "1", "name": "Alba", "description": "Sandalias rojas de PIEL para mujer. Tallas 36 a 38.",
        ])
        #expect(messy.lists == ["colors": ["red"], "materials": ["leather"], "sizes": ["36", "37", "38"]])
        #expect(messy.texts["gender"] == "female" && messy.texts["category"] == "sandal")
        let right = [
            "id": "1", "name": "Alba", "colors": "red;black", "materials": "leather", "sizes": "EU:36;EU:37",
            "price": "5900", "currency": "EUR", "gender": "female", "category": "sandal",
        ]
        #expect(ProductNormaliser(lexicon: lexicon).normalised(right).remarks.isEmpty)
    }

    @Test(
        "Latitude and longitude are swapped only if the address agrees",
        arguments: [
            ("-0.3763", "39.4699", "Valencia", "ES", "39.4699 -0.3763 guessed"),
            ("-97.7431", "30.2672", "Austin", nil, "30.2672 -97.7431 guessed"),
            ("-97.7431", "30.2672", nil, "US", "30.2672 -97.7431 guessed"),
            ("-97.7431", "30.2672", nil, nil, "-97.7431 30.2672"),
            ("-97.7431", "30.2672", nil, "ES", "-97.7431 30.2672"),
            ("0", "0.0", "Valencia", "ES", "nil nil dropped"),
            ("39,4699", "-0,3763", nil, nil, "39.4699 -0.3763 changed"),
            ("39.4699", "-0.3763", "Valencia", "ES", "39.4699 -0.3763"), ("", "1", nil, nil, " 1"),
            ("x", "1", nil, nil, "x 1"), ("-0.3763", "39.4699", "Madrid", "ES", "-0.3763 39.4699 doubted"),
        ])
    func swapped(_ latitude: String, _ longitude: String, _ city: String?, _ country: String?, _ expected: String) {
        let result = PositionNormaliser(gazetteer: gazetteer).normalised(
            latitude: latitude, longitude: longitude, PositionNormaliser.Address(city: city, country: country))
        let reported = [result.latitude ?? "nil", result.longitude ?? "nil"] + result.remarks.map(\.kind.rawValue)
        #expect(reported.joined(separator: " ") == expected)
    }
}
