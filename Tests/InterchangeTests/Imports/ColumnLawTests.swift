import Foundation
import Hours
import Interchange
import Laws
import Model
import Normaliser
import TestSupport
import Testing

/// The laws of messy imports, over random rows of known and unknown columns with messy values.
@Suite struct ColumnLawTests {
    private static let kinds = ["products", "stock", "places"]
    /// A third of 100,000 tables for each kind in the full run.
    private static let seeds = 0..<UInt64(RandomCases.count(300, all: 33_334))

    @Test("Every cell changes the document or the report", arguments: kinds) func accounted(kind: String) {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let row = MessyRow.random(kind, &random)
            let column = random.pick(row.keys.sorted())
            let normalised = MessyRow(kind, row)
            // A refused row names its fault.
            guard normalised.members != nil else { continue }
            let whole = normalised.outcome
            // A cell may agree with the others, but then nonsense in its place does not.
            let others = [nil, MessyRow.nonsense[0], MessyRow.nonsense[1]].lazy.map { text in
                var changed = row
                changed[column] = text
                return MessyRow(kind, changed).outcome
            }
            #expect(others.contains { $0 != whole }, "seed \(seed): '\(column)' of \(row) is lost: \(whole)")
        }
    }

    @Test("A cell that is not understood widens nothing", arguments: kinds) func narrow(kind: String) {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            var row = MessyRow.random(kind, &random)
            let column = random.pick(row.keys.sorted())
            row[column] = random.pick(MessyRow.nonsense)
            let unclear = MessyRow(kind, row)
            row[column] = nil
            let without = MessyRow(kind, row)
            // The row may need the column to be one.
            guard without.members != nil else { continue }
            #expect(unclear.price >= without.price, "seed \(seed): nonsense in '\(column)' makes \(row) cheaper")
            #expect(unclear.pieces <= without.pieces, "seed \(seed): nonsense in '\(column)' adds a piece to \(row)")
            let added = unclear.openTimes.subtracting(without.openTimes)
            #expect(added.isEmpty, "seed \(seed): nonsense in '\(column)' opens \(row): \(unclear.hours ?? "")")
        }
    }

    @Test("The report names the price and the hours that are answered") func agreement() {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let product = MessyRow(random.pick(["products", "stock"]), MessyRow.random("products", &random))
            let remarks = product.remarks.filter { $0.field == "price" && $0.kind != .doubted }
            if let price = product.members?["price"], let last = remarks.last, case .number(let number) = price {
                #expect(last.detail.contains("\(Int64(number))"), "seed \(seed): \(last.detail)")
            }
            let place = MessyRow("places", MessyRow.random("places", &random))
            guard let text = place.hours else { continue }
            let hours = OpeningHours(text)
            #expect(hours.isUnderstood || place.openTimes.isEmpty, "seed \(seed): \(text)")
            if let reading = hours.reading {
                #expect(MessyRow.openTimes(reading) == place.openTimes, "seed \(seed): \(text) is not \(reading)")
            }
        }
    }
}

/// A row, and the result of its normalization.
private struct MessyRow {
    private(set) var members: [String: JSON]?
    private(set) var remarks: [Remark] = []
    private var notes: [String] = []
    private var fault = ""
    private let isStock: Bool

    init(_ kind: String, _ row: [String: String]) {
        isStock = kind == "stock"
        var normaliser = Self.normaliser(kind)
        let row = row.mapValues(JSON.text)
        normaliser.look(at: [row])
        var attributes = AttributeReader(AttributeColumns(), proposes: false)
        do {
            let result = try normaliser.normalised(row, row: 2, &attributes)
            (members, remarks) = (result.members, result.remarks)
        } catch { fault = error.detail + error.errors.map { $0.pointer + $0.detail }.joined() }
        notes = normaliser.notes
    }

    private static func normaliser(_ kind: String) -> RowNormaliser {
        let now = Timestamp(milliseconds: 1_795_168_800_000), euro = Currency("EUR")
        switch kind {
        case "products": return RowNormaliser(.products(products(euro, now)))
        case "stock": return RowNormaliser(.stock(StockNormaliser(currency: euro, now: now)))
        default: return RowNormaliser(.places(places))
        }
    }

    private static let lexicon = Lexicon()
    private static let places = PlaceNormaliser(gazetteer: gazetteer)
    private static func products(_ currency: Currency?, _ now: Timestamp) -> ProductNormaliser {
        ProductNormaliser(lexicon: lexicon, currency: currency, now: now)
    }

    /// The document and the report.
    var outcome: String {
        let document = (members ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let report = remarks.map { "\($0.field) \($0.kind) \($0.detail)" } + notes
        return (document + report + [fault]).joined(separator: "\n")
    }

    /// The price in minor units; the greatest number without one.
    var price: Double { if case .number(let price)? = members?["price"] { price } else { .infinity } }

    /// The pieces of a row of stock without sizes, which is refused if it has no readable quantity.
    var pieces: Int {
        guard isStock, let members, members["sizes"] == nil else { return 0 }
        guard case .text(let text)? = members["quantity"] else { return 1 }
        return Int(text) ?? 0
    }

    var hours: String? { if case .text(let text)? = members?["hours"] { text } else { nil } }

    var openTimes: Set<Int> { hours.map(Self.openTimes) ?? [] }

    /// The half-hours of a week in which hours are open.
    static func openTimes(_ text: String) -> Set<Int> {
        guard let clock = WallClock.of(zone: "UTC") else { return [] }
        let hours = OpeningHours(text)
        return Set(
            (0..<336).filter { hours.state(at: Timestamp(milliseconds: Int64($0) * 1_800_000), by: clock) == .open })
    }

    static let nonsense = ["qwx zzk", "???", "n/d", "ask us", "#N/A", "tbc", "<>", "(see web)", "∞"]

    private static let values = [
        "59.90", "49,95 €", "60", "4990", "0", "0.00", "1.299,00 EUR", "$20-30", "49,95 TTC", "20", "12,5 %", "100",
        "EUR", "USD", "PERCENT", "AMOUNT", "2026-11-01", "2026-12-24", "2020-01-01T00:00Z/2030-01-01T00:00Z", "1/1/26",
        "in_stock", "out_of_stock", "preorder", "yes", "no", "true", "10+", "-3", "2,00", "agotado", "37", "37,5",
        "36, 37, 38", "S M L", "EU 36-39", "37=2;38=1", "09:00-18:00", "9am-5pm", "closed", "cerrado", "00:00-00:00",
        "12am-12am", "24 hrs", "09:00", "18:00", "Mo-Fr 09:00-17:00; Sa 10:00-14:00", "lunes a viernes, 9:00-17:00",
        "24/7", "9:00-13:00; 16:00-20:00", "x", "39.47", "-0.376", "39,47", "0", "91.2", "39.47, -0.376",
        "POINT(-0.376 39.47)", "39°28'12\"N 0°22'34\"W", "Valencia", "Spain", "46001", "Calle Mayor 3", "12",
        "Europe/Madrid", "EST", "CST", "A", "S", "W", "Sol", "Luna pump", "rojo y negro", "Pumps", "leather", "women",
        "https://a.example/b.jpg", "b.jpg", "<p>Red</p> sizes 36-38", "Size", "Color",
    ]

    /// The columns that the code of a kind names, in other spellings too, and others.
    private static func columns(_ kind: String) -> [String] {
        let sale =
            Sale.names + [
                "sale_start_date", "sale_end_date", "sale_price_effective_date", "special_to_date",
                "on sale", "valid_until", "Angebotsende", "fecha",
            ]
        let discount = ["discountmode", "discountvalue"]
        let others = ["notes 2", "inventory count", "colour code", "parking", "gtin", "weight", "old price", "box"]
        switch kind {
        case "products":
            let options = ["option1 name", "option1 value", "attribute 1 name", "attribute 1 value(s)"]
            return ProductNormaliser.columns.flatMap { [$0.field] + $0.names } + sale + discount + options + others
        case "stock":
            return StockNormaliser.columns.flatMap { [$0.field] + $0.names } + StockLevel.columns
                + StockLevel.amounts + StockLevel.negations.sorted() + sale + discount + others
        default:
            let days = DayColumn.names.keys.sorted() + ["weekdays", "weekend", "mon_fri", "sat-sun"]
            let parts = days.flatMap { day in
                [
                    "open", "close", "hours", "closed", "open_2", "is_open", "break", "break_start", "break_end",
                    "open_minute",
                ].map { "\(day)_\($0)" }
            }
            let others = others + ["open_days", "closed days", "horario l-v", "lunch_start", "festivos", "hours"]
            let positions =
                PositionText.columns + PositionText.longitudeFirst + ["x", "y", "geo_x", "geo_y", "n/s", "e/w"]
            return PlaceNormaliser.columns.flatMap { [$0.field] + $0.names } + days + parts + positions + others
        }
    }

    private static let columns = Dictionary(
        uniqueKeysWithValues: ["products", "stock", "places"].map { ($0, columns($0)) })

    /// A row of two to nine columns, some of which fit their values.
    static func random(_ kind: String, _ random: inout SeededGenerator) -> [String: String] {
        var row: [String: String] = [:]
        for _ in 0..<random.integer(2...9) {
            let name = random.pick(columns[kind] ?? [])
            let column = random.chance(0.3) ? name.replacing("_", with: " ") : name
            row[column] = random.pick(random.chance(0.1) ? nonsense : values)
        }
        let certain =
            switch kind {
            case "products": [("name", "Luna"), ("price", "59.90"), ("sale price", "49.90"), ("description", "red")]
            case "stock":
                [("price", "59.90"), ("sale_price", "49.90"), ("availability", "in_stock"), ("quantity", "2")]
            default: [("name", "Sol"), ("monday", "09:00-18:00"), ("weekdays", "10:00-14:00"), ("lat", "39.47")]
            }
        for (column, text) in certain where random.chance(0.4) { row[column] = text }
        return row
    }
}
