internal import CoreMetrics
internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange

/// A page of a list as JSON or GeoJSON, with the cursor of the next one.
struct PageAnswer<Item> {
    var items: [Item]
    var cursor: String?
    /// Whether the search was cut off, so the page may be short, and the cursor continues it.
    var isTruncated = false
    /// The values taken from the profile of the person whom the items should fit.
    var fit: ProductFit?
    /// The length of the whole list, if it is requested.
    var count: Int?
    /// Whether the page has an entity tag, for conditional requests.
    var isTagged = false
    /// The members of each item to write; nil for all.
    var columns: Set<String>?
    /// The position of an item on a map; nil for lists without positions, which have no GeoJSON.
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
            // A fit contains data of a person.
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

    /// Adds the cursor to a page, and an entity tag of the page without it, because a cursor differs each time.
    ///
    /// A caller who has that tag gets `304`.
    private func tagged(_ page: Answer, _ call: Call) -> Answer {
        let tag = page.digest ^ (cursor == nil ? 0 : 1)
        guard !call.knows(tag) else {
            // It was as much work as sending it.
            WorkBudget.count(page.body.count / RateLimits.bytesWrittenInStep)
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

extension PageAnswer {
    /// Creates a page from the items, of which one more than `limit` was fetched if there are more.
    ///
    /// `seal` creates the cursor after an item.
    init(
        _ items: [Item], limit: Int, columns: Set<String>?, place: ((Item) -> Coordinate?)? = nil,
        seal: (Item) throws -> String, write: @escaping (inout JSONWriter, Item) -> Void
    ) rethrows {
        let page = Array(items.prefix(limit))
        let cursor = items.count > limit ? try page.last.map(seal) : nil
        self.init(items: page, cursor: cursor, columns: columns, place: place, write: write)
    }
}
