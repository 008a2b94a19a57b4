internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// A list of items as JSON or GeoJSON, with the cursor that leads on.
struct Listing<Item> {
    var items: [Item]
    /// The cursor of the next page.
    var cursor: String?
    /// What of each item is written; nil for all.
    var columns: Set<String>?
    /// Where an item lies on a map.
    var place: (Item) -> Coordinate?
    /// Writes the members of an item.
    var write: (inout JSONWriter, Item) -> Void

    func answer(to call: Call) -> Answer {
        var answer = call.wantsGeoJSON ? geoJSON : json
        if let cursor, let link = HTTPField.Name("Link") {
            answer.headers[link] = "<\(next(cursor, call))>; rel=\"next\""
        }
        return answer
    }

    private var json: Answer {
        .json { json in
            json.object { json in
                json.member("items") { json in
                    json.list(items) { json, item in
                        json.item(columns) { write(&$0, item) }
                    }
                }
                json.member("cursor", cursor)
            }
        }
    }

    private var geoJSON: Answer {
        var answer = Answer.json { json in
            json.features(
                items, at: place, { json, item in write(&json, item) }, then: { json in json.member("cursor", cursor) })
        }
        answer.headers[.contentType] = "application/geo+json"
        return answer
    }

    /// The address of the next page: this request's, with the cursor.
    private func next(_ cursor: String, _ call: Call) -> String {
        let query = (call.request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("cursor=") }
        return call.request.uri.path + "?" + (query + ["cursor=\(cursor)"]).joined(separator: "&")
    }
}
