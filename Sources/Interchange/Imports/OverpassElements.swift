/// The elements of an answer of Overpass as JSON, which are OpenStreetMap's: their tags, and where they are.
///
/// A node is where it is; a way or relation has a `center`, if that was asked for (`out center`). Elements without tags are
/// only corners of others and are passed over. The id is such as `node/1001`, as OpenStreetMap's address has it.
package struct OverpassElements: ListedItems {
    package static let (list, item, whole) = ("elements", "element", "answer of Overpass")
    package static let fault = FieldError.row("is no element of OpenStreetMap with a type and an id", .type)

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
}
