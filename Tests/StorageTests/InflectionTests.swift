import Model
import Storage
import TestSupport
import Testing

/// Forms of words in the languages of searches.
@Suite struct InflectionTests {
    /// Pairs of forms of a word, as written.
    private static let pairs: [Language: String] = [
        .english: """
        shoes shoe, boots boot, cities city, boxes box, knives knife, shelves shelf, ties tie, buses bus, gloves glove,
        bakeries bakery, potatoes potato, scarves scarf, cleaned cleaning
        """,
        .spanish: """
        zapatos zapato, botas bota, zapatillas zapatilla, luces luz, lápices lápiz, roja rojo, rojas rojo, camión camiones,
        flor flores, relojes reloj, cajón cajones, española español
        """,
        .french: """
        chaussures chaussure, bottes botte, chapeaux chapeau, chevaux cheval, noire noir, blanche blanc, blanches blancs,
        vélos vélo, verte vertes, neuve neuf, heureuse heureux, italienne italien, longue long, première premier, douce doux
        """,
        .german: """
        Schuhe Schuh, Schuhen Schuh, Stiefeln Stiefel, Häuser Haus, Kinder Kind, Taschen Tasche, Fahrräder Fahrrad,
        Bücher Buch, rote roter, rotes rot, Autos Auto, Busse Bus, Bäckereien Bäckerei
        """,
        .italian: """
        scarpe scarpa, stivali stivale, borse borsa, rossa rosso, rosse rossi, biciclette bicicletta, negozi negozio,
        orologi orologio, bianche bianco, alberghi albergo, vestiti vestito, farmacie farmacia
        """,
        .portuguese: """
        sapatos sapato, botas bota, vermelhas vermelho, flores flor, luzes luz, limões limão, animais animal, azuis azul,
        hotéis hotel, homens homem, chapéus chapéu, pães pão, mulheres mulher, lojas loja
        """,
        .catalan: """
        sabates sabata, botes bota, sabatilles sabatilla, llibres llibre, vermella vermell, vermelles vermells,
        bicicletes bicicleta, botigues botiga, gossos gos, cases casa, groga groc, jaquetes jaqueta, pantalons pantaló
        """,
        .dutch: """
        schoenen schoen, laarzen laars, fietsen fiets, jassen jas, tassen tas, boten boot, huizen huis, rode rood,
        boeken boek, broden brood, brieven brief, sokken sok, hotels hotel, witte wit
        """,
    ]

    /// Words that look alike, and are different words.
    private static let others: [Language: String] = [
        .english: "hat hate, car care, university universe, glass glas, organ organization, pin pine, bed be",
        .spanish: "bota botón, pelo pelota, polo pollo, camión camino, zapato zapatería, perro pera, caballo caballero",
        .french: "chat chaise, port portail, cheval chèvre, chapeau chapelle, cours cou, vin vinaigre, pain peine",
        .german: "Schuh Schule, Hase Hose, Stiefel Stift, Kind Kino, Rad Rat, Mutter Mut, Tor Torte",
        .italian: "cappelli capelli, pala palla, casa cassa, sete sette, nono nonno, penna pena, carta carro",
        .portuguese: "pão pau, camisa cama, caro carro, bola bolacha, sapato sapo",
        .catalan: "camisa cama, capsa cap, sabata sabor, sabatilla sabata",
        .dutch: "boom bom, maan man, kaas kas, schoen school, boos bos, fiets fles",
    ]

    private static func words(_ list: String?) -> [[String]] {
        (list ?? "").split { $0 == "," || $0.isNewline }.map {
            $0.split(separator: " ").map { PlainText.of(String($0)) }
        }
        .filter { !$0.isEmpty }
    }

    @Test("A word has its plural, feminine and cases as forms", arguments: Language.allCases)
    func forms(language: Language) {
        let inflection = Inflection([language])
        let pairs = Self.words(Self.pairs[language])
        #expect(pairs.count >= 10)
        for pair in pairs {
            #expect(inflection.forms(of: pair[0]).contains(pair[1]), "\(pair)")
            #expect(inflection.forms(of: pair[1]).contains(pair[0]), "\(pair)")
        }
    }

    @Test("Words that only look alike are not forms of each other", arguments: Language.allCases)
    func others(language: Language) {
        let inflection = Inflection([language])
        for pair in Self.words(Self.others[language]) {
            #expect(!inflection.forms(of: pair[0]).contains(pair[1]), "\(pair)")
            #expect(!inflection.forms(of: pair[1]).contains(pair[0]), "\(pair)")
        }
    }

    @Test("The number of forms is bounded, and only configured languages add some") func bounds() {
        let all = Inflection(Language.allCases)
        for language in Language.allCases {
            for word in Self.words(Self.pairs[language]).joined() {
                let forms = Inflection([language]).forms(of: word)
                #expect(forms.count <= 50, "\(word) has \(forms.count)")
                #expect(!forms.contains(word) && Set(forms).isSubset(of: all.forms(of: word)))
            }
        }
        #expect(Inflection([]).forms(of: "shoes").isEmpty)
        #expect(Inflection().forms(of: "schuhen").contains("schuh") == false)
        #expect(all.forms(of: "es").isEmpty && all.forms(of: "обувь").isEmpty)
        #expect(Inflection([.english]).forms(of: "bus") == ["buses"])
        #expect(all.forms(of: String(repeating: "as", count: 100)).count <= 200)
    }

    /// Names, and texts that find them in their language: other forms, accents, and one mistake.
    private static let searches: [(language: Language, name: String, texts: [String])] = [
        (.english, "Hiking boots", ["boot", "HIKED bootz"]),
        (.spanish, "Zapatillas rojas", ["zapatilla rojo", "zapatilas"]),
        (.french, "Chaussures blanches", ["chaussure blanc", "chausures"]),
        (.german, "Rote Lederschuhe", ["roter Lederschuh", "Lederschue"]),
        (.italian, "Stivali bianchi", ["stivale bianca", "stivalli"]),
        (.portuguese, "Chapéus e limões", ["chapeu limao", "chapéu limão", "chappeus"]),
        (.catalan, "Sabates grogues", ["sabata groc", "sabbates"]), (.dutch, "Rode laarzen", ["rood laars", "larzen"]),
    ]

    @Test("A document is found by other forms, without accents, and with one mistake") func search() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            for (number, row) in Self.searches.enumerated() {
                let shop = Place(id: try ID("p\(number)"), kind: "store", name: row.name)
                try await store.commit([
                    .catalogue(.place(Versioned(number: PlaceNumber(number), revision: 1, value: shop)))
                ])
            }
            for (number, row) in Self.searches.enumerated() {
                for text in row.texts {
                    let answer = try await store.numbers(
                        in: .places, matching: text, inflection: Inflection([row.language]))
                    #expect(answer?.found == [PlaceNumber(number)], "\(text)")
                }
            }
            try store.close()
        }
    }

    @Test("The best matches have the words in the name, as typed or in other forms") func ranks() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            for (number, (name, address)) in [
                ("Sol", "Bota 1"), ("Botas", "Sol"), ("Bota Sol", ""), ("Botas Sol", ""), ("Luz", ""),
            ].enumerated() {
                var shop = Place(id: try ID("p\(number)"), kind: "store", name: name)
                shop.address = address
                try await store.commit([
                    .catalogue(.place(Versioned(number: PlaceNumber(number), revision: 1, value: shop)))
                ])
            }
            for (text, found, named, exact) in [
                ("bota", [0, 1, 2, 3], [1, 2, 3], [2]), ("bota sol", [0, 1, 2, 3], [2, 3], [2]), ("luz", [4], [], []),
                ("sol", [0, 1, 2, 3], [0, 2, 3], [0, 2, 3]), ("nada", [], [], []),
            ] as [(String, [PlaceNumber], [PlaceNumber], [PlaceNumber])] {
                let answer = try await store.numbers(in: .places, matching: text, isRanked: true)
                #expect(answer?.found == found && answer?.named == named && answer?.exact == exact, "\(text)")
            }
            let plain = try await store.numbers(in: .places, matching: "bota")
            #expect(plain?.named == [] && plain?.exact == [])
            try store.close()
        }
    }
}
