import Model
import Normaliser
import Testing

/// Words and signs beside prices.
@Suite struct PriceWordTests {
    @Test(
        "Only codes of ISO 4217 and known signs are currencies, and words for taxes are none",
        arguments: [
            ("49,95 TTC", "4995 EUR"), ("PVP 49.95", "4995 EUR"), ("49.95 VAT", "4995 EUR"), ("49.95 IVA", "4995 EUR"),
            ("49,95 € TTC", "4995 EUR"), ("49,95 inkl. MwSt.", "4995 EUR"), ("UVP 49,95 €", "4995 EUR"),
            ("IVA incl. 49,95", "4995 EUR"), ("49.95 HT", nil), ("49.95 excl. VAT", nil), ("49,95 zzgl. MwSt", nil),
            ("49.95 sin IVA", nil), ("49.95 ABC", nil), ("from 49.95", nil), ("49.95 NEW", nil),
            ("49.95 EUR", "4995 EUR"), ("49.95EUR", "4995 EUR"), ("EUR 49,95 TTC", "4995 EUR"),
            ("49,- €", "4900 EUR"), ("49,– €", "4900 EUR"), ("€ 49,--", "4900 EUR"), ("49.-", "4900 EUR"),
            ("59,90 € (sin IVA)", nil), ("59.90 (ex VAT)", nil), ("59,90 (netto)", nil), ("59,90 (+ IVA)", nil),
            ("59,90 (HT)", nil), ("49,90 (only members)", nil), ("49,90 (2 for 1)", nil), ("59,90 (USD)", nil),
            ("59,90 (IVA incl.)", "5990 EUR"), ("59,90 (EUR)", "5990 EUR"), ("59,90 (was 79,90 €)", "5990 EUR"),
            ("PVP: 59,90 €", "5990 EUR"), ("P.V.P. 59,90", "5990 EUR"), ("59,90 a 79,90 €", "5990 EUR"),
            ("59,90 € bis 79,90 €", "5990 EUR"), ("59€90", "5990 EUR"), ("1,29,999 €", nil),
            ("59,90 € al 79", "5990 EUR"),
            (",89 €", "89 EUR"), ("€ ,89", "89 EUR"), ("-,89 €", "89 EUR"), ("0,89 €", "89 EUR"),
        ])
    func words(_ text: String, _ price: String?) {
        let read = PriceText(text, currency: Currency("EUR"))
        #expect(read.map { "\($0.least) \($0.currency.code)" } == price)
    }

    @Test(
        "Signs and words for currencies are read without a default currency",
        arguments: [
            ("499 kr", "49900 SEK guess"), ("kr. 499,50", "49950 SEK guess"), ("199,99 zł", "19999 PLN"),
            ("R$ 49,90", "4990 BRL"), ("1 299 Kč", "129900 CZK"), ("9 990 Ft", "999000 HUF"),
            ("49,90 lei", "4990 RON guess"),
            ("49.90 лв.", "4990 BGN"), ("1 299 ₽", "129900 RUB"), ("1 299 руб.", "129900 RUB"), ("499 ₴", "49900 UAH"),
            ("499,90 TL", "49990 TRY"), ("Fr. 49.90", "4990 CHF guess"), ("SFr. 49.90", "4990 CHF"),
            ("A$49.95", "4995 AUD"),
            ("US$49.95", "4995 USD"), ("₪199", "19900 ILS"), ("฿499", "49900 THB"), ("RM 49.90", "4990 MYR"),
            ("Rs. 499", "49900 INR guess"), ("S/ 49.90", "4990 PEN"), ("CHF 1’200.20", "120020 CHF"),
            ("CHF 1'200.20", "120020 CHF"), ("CHF 1 200.20", "120020 CHF"), ("CHF 49.–", "4900 CHF"),
            ("￥5,990", "5990 JPY guess"), ("₹1,29,999", "12999900 INR"), ("₹12,99,999.50", "129999950 INR"),
            ("R1", nil),
            ("TTC 49.95", nil), ("49.95", nil), ("€5 kr", nil),
        ])
    func signs(_ text: String, _ price: String?) {
        let read = PriceText(text).map { "\($0.least) \($0.currency.code)\($0.isGuess ? " guess" : "")" }
        #expect(read == price)
    }

    @Test(
        "A shared sign is the default currency if that has it",
        arguments: [
            ("499 kr", "DKK", "49900 DKK"), ("499 kr", "EUR", nil), ("Fr. 5", "CHF", "500 CHF"),
            ("$5", "MXN", "500 MXN"), ("R 599", "ZAR", "59900 ZAR"), ("R1 299,90", "ZAR", "129990 ZAR"),
            ("R 599", "EUR", nil),
        ])
    func shared(_ text: String, _ code: String, _ price: String?) {
        #expect(PriceText(text, currency: Currency(code)).map { "\($0.least) \($0.currency.code)" } == price)
    }

    @Test("A price without a currency names the option that gives one, and an unknown currency column drops the price")
    func unnamed() {
        let none = StockNormaliser().normalised(["price": "49.95"])
        #expect(none.remarks.map(\.detail) == ["'49.95' names no currency: give one with 'currency' (--currency)"])
        let own = StockNormaliser(currency: Currency("EUR")).normalised(["price": "49.95", "currency": "TTC"])
        #expect(own.price == nil && own.remarks.map(\.kind) == [.dropped])
        let sign = StockNormaliser().normalised(["price": "49.95", "currency": "€"])
        #expect(sign.price == 4995 && sign.texts["currency"] == "EUR")
    }

    @Test(
        "A word that is also the code of a currency is no other currency than the usual one",
        arguments: [
            ("49,95 cad.", nil), ("TOP 49,95", nil), ("49,95 ALL", nil), ("GEL 49,95", nil), ("49,95 CAD", "4995 CAD"),
            ("USD 49.95", "4995 USD"),
        ])
    func homonyms(_ text: String, _ price: String?) {
        let read = StockNormaliser(currency: Currency("EUR")).normalised(["price": text])
        #expect(read.price.map { "\($0) \(read.texts["currency"] ?? "")" } == price)
    }

    @Test(
        "The name of a column may have the currency of its prices",
        arguments: [
            ("Price (EUR)=59.90", "5990 EUR"), ("price_eur=60|price_usd=70", "6000 EUR"), ("price_usd=70", "7000 USD"),
            ("Price (€)=60", "6000 EUR"), ("PVP EUR=60", "6000 EUR"), ("Price (£)=60", "6000 GBP"),
            ("price_usd=60|currency=EUR", ""), ("price_usd=60|price_gbp=70", ""), ("cost_eur=60", ""),
            ("price=49.95|currency=£", "4995 GBP"), ("price=49.95|currency=$", "4995 USD"),
            ("price=499|currency=kr", "499 SEK"),
        ])
    func columns(_ row: String, _ price: String) {
        let cells = row.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let texts = Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0[1]) })
        let read = StockNormaliser(currency: Currency("EUR")).normalised(texts)
        #expect((read.price.map { "\($0) \(read.texts["currency"] ?? "")" } ?? "") == price)
        #expect(
            (read.remarks.contains { $0.kind == .guessed })
                == ["GBP", "USD", "SEK"].contains { sign in
                    price.hasSuffix(sign) && !row.contains("usd")
                })
    }
}
