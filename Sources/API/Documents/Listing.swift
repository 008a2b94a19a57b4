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
    /// Whether the page has a tag, by which a caller can ask whether it changed.
    var isTagged = false
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
        guard isTagged, call.isWhole else {
            let whole = form(isGeoJSON).leading(to: cursor.map(call.next))
            // What fits somebody is nobody else's business.
            return fit == nil ? whole : whole.unstored
        }
        var page = self
        page.cursor = nil
        return tagged(page.form(isGeoJSON), call)
    }

    private func form(_ isGeoJSON: Bool) -> Answer {
        let answer = isGeoJSON ? geoJSON ?? json : json
        return place == nil ? answer : answer.negotiated
    }

    /// The page, given without its cursor, with that and a tag of all but that: a cursor is another one each time.
    ///
    /// Nothing new to a caller who has that tag.
    private func tagged(_ page: Answer, _ call: Call) -> Answer {
        let tag = page.digest ^ (cursor == nil ? 0 : 1)
        guard !call.knows(tag) else {
            // It is as much work as if it were sent.
            Effort.count(page.body.count / RateLimits.bytesWrittenInStep)
            return Answer(status: .notModified, headers: page.headers).with(.contentType, nil).tagged(weakly: tag)
        }
        let whole = cursor.map { cursor in page.with(member: "cursor") { $0.value(cursor) } } ?? page
        return whole.leading(to: cursor.map(call.next)).tagged(weakly: tag)
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
