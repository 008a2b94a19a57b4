internal import CoreMetrics
internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange

/// A list of items as JSON or GeoJSON, with the cursor that leads on.
struct Listing<Item> {
    var items: [Item]
    var cursor: String?
    /// Whether the search was cut off: the page may be short, and goes on with the cursor.
    var isTruncated = false
    /// What was taken from the profile of whom the items should fit.
    var fit: ProductFit?
    /// How many items the whole list has, if that is told.
    var count: Int?
    /// What of each item is written; nil for all.
    var columns: Set<String>?
    /// Where an item lies on a map; nil for items that are no things with a place, and no GeoJSON therefore.
    var place: ((Item) -> Coordinate?)?
    var write: (inout JSONWriter, Item) -> Void

    func answer(to call: Call) -> Answer {
        guard call.wantsItems else { return answer(as: call.wantsGeoJSON, to: call) }
        return Answer(
            items: items.map { item in
                var json = JSONWriter()
                json.item(columns) { write(&$0, item) }
                return json.bytes
            })
    }

    func answer(as isGeoJSON: Bool, to call: Call) -> Answer {
        if isTruncated { call.meters.cutOff.increment() }
        let answer = isGeoJSON ? geoJSON ?? json : json
        let form = place == nil ? answer : answer.negotiated
        let whole = form.leading(to: cursor.map(call.next))
        // What fits somebody is nobody else's business.
        return fit == nil ? whole : whole.unstored
    }

    private var json: Answer {
        .object { json in
            json.member("items") { json in
                json.list(items) { json, item in
                    json.item(columns) { write(&$0, item) }
                }
            }
            writeEnd(&json)
        }
    }

    private func writeEnd(_ json: inout JSONWriter) {
        json.member("cursor", cursor)
        if isTruncated { json.member("truncated", true) }
        json.fit(fit)
        json.member("count", count.map(Int64.init))
    }

    private var geoJSON: Answer? {
        guard let place else { return nil }
        return Answer.json { json in json.features(items, at: place, columns, write, then: writeEnd) }
            .with(.contentType, "application/geo+json")
    }
}

extension Listing {
    /// The first page of the items, of which one more than `limit` was fetched if there are so many.
    ///
    /// `seal` makes the cursor that goes on after an item.
    init(
        _ items: [Item], limit: Int, columns: Set<String>?, place: ((Item) -> Coordinate?)? = nil,
        seal: (Item) throws -> String, write: @escaping (inout JSONWriter, Item) -> Void
    ) rethrows {
        let page = Array(items.prefix(limit))
        let cursor = items.count > limit ? try page.last.map(seal) : nil
        self.init(items: page, cursor: cursor, columns: columns, place: place, write: write)
    }
}
