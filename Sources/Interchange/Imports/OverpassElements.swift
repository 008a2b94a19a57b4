/// The OpenStreetMap elements in a JSON response of the Overpass API, with their tags and positions.
///
/// A node has its own position. A way or relation has a `center` if the query requested it (`out center`). Elements
/// without tags are only vertices of others and are skipped. Ids look like `node/1001`, as in OpenStreetMap URLs.
package struct OverpassElements: ListedItems {
    package static let (list, item, whole) = ("elements", "element", "response of Overpass")
    package static let fault = FieldError.row("is not an OpenStreetMap element with a type and an id", .type)

    let synonyms: Synonyms

    package func members(_ json: JSON, _ renamed: inout Set<String>) -> Result<[String: JSON], FieldError>? {
        guard case .object(let element) = json, case .text(let type)? = element["type"],
            case .number(let number)? = element["id"], let id = Int64(exactly: number)
        else { return .failure(Self.fault) }
        guard case .object(let tags)? = element["tags"] else { return nil }
        switch tags.standardized(by: synonyms, &renamed) {
        case .failure(let fault): return .failure(fault)
        case .success(var members):
            members["id"] = .text("\(type)/\(id)")
            let place = if case .object(let center)? = element["center"] { center } else { element }
            members["lat"] = place["lat"]
            members["lon"] = place["lon"]
            return .success(members)
        }
    }

    /// Overpass ends a query that takes too long with the elements found so far and a remark.
    package static func interruption(_ document: [String: JSON]) -> FormError? {
        guard let remark = document["remark"], remark != .null, remark != .text("") else { return nil }
        let reason = if case .text(let text) = remark { text } else { "a remark" }
        let detail = "The response of Overpass is not complete: it says '\(reason.prefix(200))'."
        return FormError(.invalidBody, detail: detail)
    }
}
