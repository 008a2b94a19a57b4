import Model
import Normaliser
import Testing

/// The price that is paid, and whether a product is in stock.
@Suite struct PaidPriceTests {
    private static let now = Timestamp(milliseconds: 1_795_910_400_000)  // 2026-11-29T00:00:00Z

    private func product(_ row: [String: String], at now: Timestamp? = now) -> String {
        var row = row
        row["id"] = "1"
        row["name"] = "A"
        let result = ProductNormaliser(lexicon: Lexicon(), currency: Currency("EUR"), now: now).normalised(row)
        return [result.price.map(String.init), result.texts["currency"]].compactMap(\.self).joined(separator: " ")
    }

    @Test(
        "A reduced price counts if it is lower, in the same currency and within its dates",
        arguments: [
            ("price=59.90 EUR|sale price=49.90 EUR", "4990 EUR"), ("price=59.90|sale_price=49.90", "4990 EUR"),
            ("regular price=129.00|sale price=99.00", "9900 EUR"), ("Precio=59,90|Precio rebajado=49,90", "4990 EUR"),
            ("Preis=59,90 €|Angebotspreis=49,90 €", "4990 EUR"), ("prix=59,90|prix promo=49,90", "4990 EUR"),
            ("price=59.9000|special_price=0.0000", "5990 EUR"), ("price=59.90|sale_price=", "5990 EUR"),
            ("price=59.90|sale_price=69.90", "5990 EUR"), ("price=59.90 EUR|sale_price=49.90 USD", "5990 EUR"),
            ("price=59.90|sale_price=soon", "5990 EUR"), ("sale_price=49.90", "4990 EUR"),
            ("price=ask us|sale_price=60", "6000 EUR"), ("price=60|sale_price=49.90", "4990 EUR"),
            ("price=5990|sale_price=4990", "4990 EUR"),
            (
                "price=59.90|sale_price=49.90|sale_price_effective_date=2026-11-01T00:00Z/2026-11-30T00:00Z",
                "4990 EUR"
            ),
            (
                "price=59.90|sale_price=49.90|sale_price_effective_date=2026-01-01T00:00-0800/2026-02-01T00:00-0800",
                "5990 EUR"
            ),
            ("price=59.90|sale_price=49.90|sale_price_effective_date=2027-01-01/2027-02-01", "5990 EUR"),
            ("price=59.90|sale_price=49.90|sale_price_effective_date=next week", "5990 EUR"),
            ("price=59.90|sale-price=49.90|sale-start-date=2026-11-01|sale-end-date=2026-11-29", "4990 EUR"),
            ("price=59.90|sale-price=49.90|sale-start-date=2026-11-01|sale-end-date=2026-11-28", "5990 EUR"),
            ("price=59.90|special_price=49.90|special_price_to_date=11/1/26", "5990 EUR"),
            ("price=59.90|special_price=49.90|special_price_from_date=2026-12-01 00:00:00", "5990 EUR"),
            (
                "regular price=59.90|sale price=49.90|date sale price starts=|date sale price ends=2026-10-01",
                "5990 EUR"
            ),
            ("sale_price=49.90|sale_end=2026-10-01", ""),
            ("price=59.90|discountmode=PERCENT|discountvalue=20", "4792 EUR"),
            ("price=59.90|discountMode=percent|discountValue=12,5 %", "5241 EUR"),
            ("price=59.90|discountmode=AMOUNT|discountvalue=10", "4990 EUR"),
            ("price=59.90|discountmode=PERCENT|discountvalue=0", "5990 EUR"),
            ("price=59.90|discountmode=PERCENT|discountvalue=120", "5990 EUR"),
            ("price=59.90|discountmode=AMOUNT|discountvalue=60", "5990 EUR"),
            ("price=59.90|discountmode=GIFT|discountvalue=10", "5990 EUR"),
            ("price=59.90|discountmode=PERCENT|discountvalue=some", "5990 EUR"),
            ("discountmode=PERCENT|discountvalue=20", ""),
            ("Preis=59,90|Sonderpreis=49,90|Sonderpreis bis=2026-02-01", "5990 EUR"),
            ("Preis=59,90|Sonderpreis=49,90|Angebotsende=2026-11-01", "5990 EUR"),
            ("Preis=59,90|Sonderpreis=49,90|Angebotsbeginn=2026-11-01|Angebotsende=2026-12-01", "4990 EUR"),
            ("price=59,90|Precio rebajado=49,90|Día en que termina el precio rebajado=2026-02-01", "5990 EUR"),
            ("price=59,90|Angebotspreis=49,90|Datum, an dem Angebotspreis endet=2026-02-01", "5990 EUR"),
            ("price=59,90|Preço promocional=49,90|Data em que termina o preço promocional=2026-02-01", "5990 EUR"),
            ("price=59,90|Actieprijs=49,90|Datum waarop actieprijs eindigt=2026-02-01", "5990 EUR"),
            ("price=59,90|Tarif promo=49,90|Date de fin de promo=2026-02-01", "5990 EUR"),
            ("price=59,90|Prezzo in offerta=49,90|Data fine offerta=2026-02-01", "5990 EUR"),
            ("price=59.90|sale_price=49.90|valid_to=2026-11-15", "5990 EUR"),
            ("price=59.90|sale_price=49.90|valid_until=soon", "5990 EUR"),
            ("price=59.90|sale_price=49.90|end_date=15 Nov 2026", "5990 EUR"),
            ("price=59.90|sale_price=49.90|expires=2026-12-15", "4990 EUR"),
            ("price=59.90|sale_price=49.90|fecha=2026-11-15", "5990 EUR"),
            ("price=59.90|sale_price=49.90|created_at=2026-11-15|sold individually?=0|total_sales=0", "4990 EUR"),
            ("price=59.90|sale_price=49.90|on_sale=false", "5990 EUR"),
            ("price=59.90|sale_price=49.90|Is on sale?=0", "5990 EUR"),
            ("price=59.90|sale_price=49.90|en oferta=sí", "4990 EUR"),
            ("price=59.90|sale_price=49.90|on_sale=nunca", "5990 EUR"),
            ("price=59.90|sale_price=49.90|on_sale=ended yesterday", "5990 EUR"),
            ("price=59.90|sale_price=49.90|sale status=scheduled", "5990 EUR"),
            ("price=59.90|sale_price=49.90|sale=paused", "5990 EUR"),
            ("price=59.90|sale_price=49.90|on_sale=-", "5990 EUR"),
            ("price=59.90|sale_price=49.90|on_sale=2", "5990 EUR"),
            ("price=59.90|sale_price=49.90|is_reduced=no", "5990 EUR"),
            ("price=59.90|sale_price=49.90|sale status=Active", "4990 EUR"),
            ("price=59.90|sale_price=49.90|on_sale=x", "4990 EUR"),
            ("price=59.90|sale_price=49.90|on_sale=1", "4990 EUR"),
            ("price=59.90|sale_price=49.90|discount=20 %", "4990 EUR"),
            ("price=59.90|sale_price=49.90|sale=49.90", "4990 EUR"),
            ("price=59.90|sale_price=49.90|sale_disabled=yes", "5990 EUR"),
            ("price=59.90|sale_price=49.90|inactive_sale=1", "5990 EUR"),
            ("price=59.90|sale_price=49.90|no_sale=yes", "5990 EUR"),
            ("price=59.90|sale_price=49.90|not_on_sale=yes", "5990 EUR"),
            ("price=59.90|sale_price=49.90|sale_off=yes", "5990 EUR"),
            ("price=59.90|sale_price=49.90|offsale=yes", "5990 EUR"),
            ("price=59.90|sale_price=49.90|sale_is_over=yes", "5990 EUR"),
            ("price=59.90|sale_price=49.90|sin oferta=sí", "5990 EUR"),
            ("price=59.90|sale_price=49.90|on sale (y/n)=y", "4990 EUR"),
            ("price=59.90|sale_price=49.90|on sale (y/n)=n", "5990 EUR"),
            ("price=59.90|sale_price=49.90|promo_no=12345|special offer=yes", "4990 EUR"),
            ("price=59.90|sale_price=49.90|salesperson=Anna|promo_code=ABC", "4990 EUR"),
            ("price=59.90 EUR|sale_price=49.90 EUR (only members)", "5990 EUR"),
        ])
    func paid(_ row: String, _ price: String) {
        let cells = row.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let texts = Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0.count > 1 ? $0[1] : "") })
        #expect(product(texts) == price)
        #expect(
            StockNormaliser(currency: Currency("EUR"), now: Self.now).normalised(texts).price.map { "\($0) EUR" } ?? ""
                == price)
    }

    @Test("A sale with dates does not count without a clock, and the reason is reported") func reason() {
        let row = ["price": "59.90", "sale_price": "49.90", "sale_end": "2030-01-01"]
        #expect(product(row, at: nil) == "5990 EUR")
        let result = StockNormaliser(currency: Currency("EUR")).normalised(row)
        #expect(
            result.remarks.last.map { "\($0.kind) \($0.detail)" }
                == "doubted the sale price '49.90' does not count: its dates are not understood")
        let none = StockNormaliser(currency: Currency("EUR")).normalised(
            ["price": "59.90", "sale_price": "0.00", "sale_end": "2030-01-01"])
        #expect(none.price == 5990)
        let detail = none.remarks.last?.detail
        #expect(detail == "the sale price '0.00' means no sale, in spite of '2030-01-01'")
        let flagged = StockNormaliser(currency: Currency("EUR"), now: Self.now).normalised(
            ["price": "59.90", "sale_price": "49.90", "sale_end": "2030-01-01", "on_sale": "nunca"])
        #expect(
            flagged.remarks.last?.detail
                == "the sale price '49.90' does not count: whether there is a sale is not understood ('nunca'; '2030-01-01')"
        )
    }

    @Test(
        "A row that is not certainly in stock has no piece",
        arguments: [
            ("availability=out_of_stock", "0"), ("availability=out of stock", "0"), ("availability=OutOfStock", "0"),
            ("availability=https://schema.org/OutOfStock", "0"), ("Disponibilidad=Agotado", "0"),
            ("Verfügbarkeit=Nicht verfügbar", "0"), ("Disponibilité=En rupture de stock", "0"),
            ("disponibilità=esaurito", "0"), ("in stock?=0", "0"), ("is_in_stock=no", "0"),
            ("availability=preorder", "0"),
            ("availability=backorder", "0"), ("availability=ask us", "0"), ("status=0|quantity=3", "0"),
            ("availability=out_of_stock|quantity=5", "0"), ("quantity=agotado", "0"), ("stock=sold out", "0"),
            ("stock=-2", "0"), ("availability=in_stock", nil), ("availability=limited_availability|quantity=2", "2"),
            ("stock=yes", nil), ("stock=10+", "10"), ("stock=>5", "5"), ("availability=ask us|quantity=2", "2"),
            ("stock_quantity=0", "0"), ("Stock Level=0", "0"), ("Inventory=0", "0"), ("Variant Inventory Qty=0", "0"),
            ("Stock total=0", "0"), ("Unidades disponibles=0", "0"), ("Qté en stock=0", "0"),
            ("On hand (current)=0", "0"),
            ("Lagerbestand=0", "0"), ("Uds=0", "0"), ("Inventario=0", "0"), ("qté=0", "0"), ("Stk=0", "0"),
            ("my own quantity=4", "0"), ("inventory of the shop=many", "0"), ("sku=a|qty=", "0"), ("sku=a", nil),
            ("sku=a|talla=", "0"), ("qty=|in stock=yes", nil),
            ("disponible=no", "0"), ("disponible=sí", nil), ("disponible=3", "3"), ("agotado=sí", "0"),
            ("agotado=no", nil), ("sold_out=yes", "0"), ("sold_out=0|quantity=2", "2"), ("Ausverkauft=x", "0"),
            ("sold_out=perhaps", "0"), ("quantity=5|available=false", "0"), ("quantity=5|sold out=1", "0"),
            ("quantity=5 uds", "5"), ("Stk=3 Stück", "3"),
        ])
    func levels(_ row: String, _ quantity: String?) {
        let cells = row.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let texts = Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0.count > 1 ? $0[1] : "") })
        let result = StockNormaliser().normalised(texts)
        #expect(result.texts["quantity"] == quantity)
    }

    @Test(
        "Sizes of stock are read like sizes of products",
        arguments: [
            ("37,5", "37.5"), ("S M", "S;M"), ("37=3;38=2", "37=3;38=2"), ("37", "37"),
            ("EU 37=3; 38=1", "EU:37=3;EU:38=1"),
            ("37,5=3;38=0", "37.5=3;38=0"), ("34/32=2", "34/32=2"), ("37:3;38:0", "37=3;38=0"),
            (" 37,5 = 1 ;  38  =  0 ", "37.5=1;38=0"), ("S:1 M:0 L:2", "S=1;M=0;L=2"), ("EU:37;EU:38", "EU:37;EU:38"),
            ("-", "-"),
        ])
    func sizes(_ text: String, _ sizes: String) {
        let result = StockNormaliser().normalised(["talla": text])
        #expect(result.texts["sizes"] == sizes && result.refusal == nil)
    }

    @Test(
        "Sizes of stock that are not understood are refused",
        arguments: [
            "???", "37x3;38x0", "37-3;38-0", "37/3;38/0", "37, 38 agotado", "37=2;38 agotado", "34/32",
            "36 (2), 37 (0)", "37=1;  =a", "37=1;  =2", "37=1=2", "37=a;38=1", "37=",
        ])
    func unknownSizes(_ text: String) {
        #expect(StockNormaliser().normalised(["talla": text]).refusal != nil)
    }

    @Test(
        "Sizes without stock have no piece each",
        arguments: [
            ("in_stock=false|sizes=37;38", "37=0;38=0", nil), ("in_stock=no|sizes=37=3;38=1", "37=0;38=0", nil),
            ("quantity=0|sizes=36-38", "36=0;37=0;38=0", nil), ("sold out=yes|sizes=37|quantity=2", "37", "0"),
            ("my quantity=3|sizes=37", "37", "0"), ("availability=ask us|sizes=37;38", "37=0;38=0", nil),
            ("availability=ask us|sizes=37=1", "37=1", nil),
        ])
    func emptySizes(_ row: String, _ sizes: String, _ quantity: String?) {
        let cells = row.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let result = StockNormaliser().normalised(Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0[1]) }))
        #expect(result.texts["sizes"] == sizes && result.texts["quantity"] == quantity && result.refusal == nil)
    }
}
