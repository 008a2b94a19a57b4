import Model
import Normaliser
import TestSupport
import Testing

/// Words and addresses of messy rows that must not be misread.
@Suite struct MessyWordTests {
    private let normaliser = ProductNormaliser(lexicon: Lexicon())

    @Test(
        "Materials that a text negates or imitates are not found",
        arguments: [
            ("leather-free", ""), ("leather free upper", ""), ("non-leather", ""), ("no leather, canvas", "canvas"),
            ("without wool", ""), ("sin piel", ""), ("libre de piel", ""), ("free of leather", ""), ("faux suede", ""),
            ("PU leather", ""), ("leather-look", ""), ("not cotton but wool", "wool"),
            ("faux leather", "faux leather"),
            ("patent leather", "patent leather"), ("leather and free laces", "leather"),
        ])
    func negation(_ text: String, _ materials: String) {
        #expect(Lexicon().standards(in: text, .material).joined(separator: ", ") == materials)
        let named = normaliser.normalised(["id": "1", "name": "A", "description": text])
        #expect(named.lists["materials", default: []].joined(separator: ", ") == materials)
    }

    @Test(
        "A category is replaced only if all of its words name another category",
        arguments: [
            ("boot liner", "boot liner"), ("Slip-on shoe", "Slip-on shoe"), ("pump cleaner", "pump cleaner"),
            ("Botas", "boot"),
            ("Running shoes", "running"), ("boots & shoes", "boots & shoes"),
        ])
    func givenCategory(_ text: String, _ category: String) {
        let result = normaliser.normalised(["id": "1", "name": "A", "category": text])
        #expect(result.texts["category"] == category)
    }

    @Test("A given material that is negated is kept unchanged") func negatedMaterial() {
        let result = normaliser.normalised(["id": "1", "name": "A", "materials": "faux suede;leather-free;Piel"])
        #expect(result.lists["materials"] == ["faux suede", "leather-free", "leather"])
    }

    @Test(
        "Tags are taken out of a description that has elements",
        arguments: [
            ("<p>Soft</p>\n<br/>shoe", "Soft shoe"), ("5 < 6 <b>bold</b>", "5 bold"), ("a < b and c > d", nil),
            ("x <3", nil), ("<p>a<b", "a<b"), ("<<<< a", nil), ("< p", nil),
        ])
    func tags(_ text: String, _ plain: String?) {
        #expect(normaliser.normalised(["id": "1", "description": text]).texts["description"] == plain ?? text)
    }

    @Test(
        "The first of several addresses is kept",
        arguments: [
            ("https://a.es/1", "https://a.es/1"), ("http://a/1,http://a/2", "http://a/1"),
            ("http://a/1 , http://a/2", "http://a/1"), ("http://a/1, http://a/2", "http://a/1"),
            ("http://a/1|;, http://a/2", "http://a/1"), ("http://a/1,2;3", "http://a/1,2;3"),
            ("http://a/1,,2,http://b", "http://a/1,,2"), ("http://a/1, b", "http://a/1,"),
            ("see http://a.", "http://a."),
            ("http:// a", nil), ("a.jpg", nil),
        ])
    func addresses(_ text: String, _ first: String?) {
        #expect(normaliser.normalised(["id": "1", "photo": text]).texts["photo"] == first)
    }

    @Test("(M) in a name is not read as a gender because it may be a size") func sizeM() {
        #expect(normaliser.normalised(["id": "1", "name": "Runner (M)"]).texts["gender"] == nil)
        #expect(normaliser.normalised(["id": "1", "name": "Runner (W)"]).texts["gender"] == "female")
    }

    @Test("Names with characters that ids cannot hold have distinct ids") func idsOfNames() throws {
        func id(_ brand: String, _ name: String) -> String? {
            normaliser.normalised(["brand": brand, "name": name]).texts["id"]
        }
        #expect(id("Talón", "Niña") == "talon-nina")
        let names = [("Brand", "靴 1"), ("Brand", "鞋 1"), ("Brand", "1"), ("靴", "鞋"), ("鞋", "靴")]
        let ids = try names.map { try #require(id($0, $1)) }
        #expect(Set(ids).count == names.count)
        #expect(ids[0].hasPrefix("brand-1-") && ids[2] == "brand-1" && ids.allSatisfy { (try? PersonID($0)) != nil })
        #expect(id("Brand", "靴 1") == ids[0])
        let long = String(repeating: "long ", count: 40)
        let (first, second) = (try #require(id("A", long + "1")), try #require(id("A", long + "2")))
        #expect(first != second && first.utf8.count <= PersonID.longest)
        #expect(id("-", "?") == nil)
    }

    @Test("Columns are recognized by synonyms, with or without accents and capitals") func columns() {
        let result = normaliser.normalised([
            "Descripción": "botas", "Código": "x", "Model Name": "Alba", "Material-Composition": "lona",
        ])
        #expect(result.texts == ["description": "botas", "id": "x", "name": "Alba", "category": "boot"])
        #expect(result.lists == ["materials": ["canvas"]])
    }

    @Test(
        "Options stand for columns that are missing, and for no price or name",
        arguments: [
            ("title=Cera|option1 name=Title|option1 value=Default Title", "Cera||"),
            ("name=A|attribute 1 name=Price|attribute 1 value(s)=1.00|regular price=59.90", "A||5990"),
            ("name=A|attribute 1 name=Sale price|attribute 1 value(s)=1.00|price=59.90", "A||5990"),
            ("name=A|option1 name=Talla EU|option1 value=37", "A|EU:37|"),
            ("name=A|attribute 1 name=Shoe Size|attribute 1 value(s)=36, 37", "A|36 37|"),
            ("name=A|sizes=38|option1 name=Sizes|option1 value=37", "A|38|"),
            ("name=A|nombre del atributo 1=Talla|valor(es) del atributo 1=37", "A|37|"),
            ("name=A|attribut 1 name=Größe|attribut 1 wert(e)=37", "A|37|"),
            ("name=A|nom de l’attribut 1=Pointure|valeur(s) de l’attribut 1=37", "A|37|"),
            ("name=A|productoptionname1=Size|productoptiondescription1=36;37", "A|36 37|"),
            ("item=Variant|id=7|name=|options=red", "||"), ("item=Luna|id=7", "Luna||"),
            ("name=A|cost=20.00|retail price=59.90", "A||5990"), ("name=A|cost=20.00|amount=5", "A||"),
            ("name=A|precio normal=59,90|notes=bought for 20", "A||5990"),
        ])
    func options(_ row: String, _ product: String) {
        let cells = row.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let texts = Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0.count > 1 ? $0[1] : "") })
        let result = ProductNormaliser(lexicon: Lexicon(), currency: Currency("EUR")).normalised(texts)
        let sizes = result.lists["sizes", default: []].joined(separator: " ")
        #expect("\(result.texts["name"] ?? "")|\(sizes)|\(result.price.map(String.init) ?? "")" == product)
        #expect(result.texts["description"] == nil)
    }

    @Test(
        "An article is a name beside another id, unless a column is a name",
        arguments: [
            ("Referencia=B-001|Artículo=Botas Luna", "B-001|Botas Luna|guessed"),
            ("Article=Bottes|Référence=R1", "R1|Bottes|guessed"), ("Codi=7|Article=Botes", "7|Botes|guessed"),
            ("id=3|articulo=Botas", "3|Botas|guessed"), ("Referencia=|Artículo=Botas", "botas|Botas|guessed"),
            ("Artikel=Pumps|Artikelnummer=7", "7|Pumps|"), ("Articolo=Stivali|Codice articolo=7", "7|Stivali|"),
            ("Item=Luna|sku=7", "7|Luna|"), ("artículo=B-001|nombre=Luna", "B-001|Luna|"),
            ("artículo=B-001", "B-001||"),
            ("Referencia=R1|Artículo=B-001|Modelo=Luna", "R1|Luna|"), ("Código=44|Artículo=123", "44||"),
            ("Referencia=|Artículo=B-001|Nombre=Luna", "B-001|Luna|"), ("Referencia=7|Artículo=Botas|Nombre=", "7||"),
        ])
    func articles(_ row: String, _ product: String) {
        let cells = row.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let texts = Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0.count > 1 ? $0[1] : "") })
        let result = ProductNormaliser(lexicon: Lexicon()).normalised(texts)
        let isGuessed = result.remarks.contains { $0.field == "name" && $0.kind == .guessed }
        let named = "\(result.texts["id"] ?? "")|\(result.texts["name"] ?? "")|"
        #expect(named + (isGuessed ? "guessed" : "") == product)
    }

    @Test(
        "A position is doubted only if it is far from every match of its address",
        arguments: [
            // Border towns whose nearest city is abroad.
            "46.698241|-68.011703|Presque Isle|ME||", "29.560387|-104.375559|Presidio|TX||",
            "48.417|-119.511|Omak||US|",
            // Territories, and the various names of countries.
            "13.493449|144.799719|Tamuning|GU||", "18.4655|-66.1057|Nowhere||US|", "49.18|-2.1|St Helier||UK|",
            "51.5|-0.12|||GB|", "51.5|-0.12|||Reino Unido|", "40.4|-3.7|||España|", "40.4|-3.7|||Narnia|",
            // Towns that share their name with a larger town far away.
            "37.5|-77.45|Richmond|VA||", "39.97|-86.12|Carmel|IN||",
            "35.624698|139.774829|Diver City Tokyo Plaza 7F|1-1-10 Aomi, Koto-ku||",
            // Wrong positions.
            "-1.0|-1.0|Carmel|IN||doubted", "4.736|-73.816|Queens| NY||doubted",
            "37.550886|77.452719|Richmond|VA||doubted",
            "40.4|-3.7|Austin||USA|doubted",
        ])
    func doubtedPositions(_ row: String) {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let given = cells.map { $0.isEmpty ? nil : $0 }
        let address = PositionNormaliser.Address(city: given[2], state: given[3], country: given[4])
        let result = PositionNormaliser(gazetteer: gazetteer).normalised(
            latitude: cells[0], longitude: cells[1], address)
        #expect(result.remarks.map(\.kind.rawValue).joined() == cells[5])
        #expect(result.latitude == cells[0] && result.longitude == cells[1])
    }
}
