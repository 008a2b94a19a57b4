/// The elements of an answer of Overpass as JSON, which are OpenStreetMap's: their tags, and where they are.
///
/// A node is where it is; a way or relation has a `center`, if that was asked for (`out center`). Elements without tags are
/// only corners of others and are passed over. The id is such as `node/1001`, as OpenStreetMap's address has it.
package struct OverpassReader: RowReader {
    private let synonyms: Synonyms
    private var elements = JSONElements(lists: ["elements"], longest: longestImportRow)
    /// Why nothing after it can be read.
    private var fault: JSONText.Fault?
    private var number = 0
    private var renamed: Set<String> = []

    package init(_ synonyms: Synonyms) { self.synonyms = synonyms }

    package var notes: [String] { renamed.sorted() }

    package mutating func read(_ bytes: some Sequence<UInt8>) throws(FormError) -> [ImportRow] {
        if let fault { throw .broken(fault) }
        let bytes = Array(bytes)
        var index = 0
        var rows: [ImportRow] = []
        do throws(JSONText.Fault) {
            while let element = try elements.next(bytes, &index) {
                if element.isNamed, let row = row(element) { rows.append(row) }
            }
        } catch { fault = error }
        return rows
    }

    package mutating func finish() throws(FormError) -> [ImportRow] {
        if let fault { throw .broken(fault) }
        do throws(JSONText.Fault) { try elements.finish() } catch {
            throw FormError(.invalidJSON, detail: "The file ends within element \(number + 1) or before its end.")
        }
        guard elements.sawList else {
            throw FormError(.invalidBody, detail: "The file is no answer of Overpass: it has no 'elements'.")
        }
        return []
    }

    private mutating func row(_ element: JSONElements.Element) -> ImportRow? {
        number += 1
        guard let bytes = element.bytes else { return ImportRow(number: number, members: .failure(.overlongRow)) }
        guard bytes.first == UInt8(ascii: "{") else { return ImportRow(number: number, members: .failure(.noElement)) }
        do throws(FormError) {
            guard let members = members(try JSON(bytes)) else { return nil }
            return ImportRow(number: number, members: members)
        } catch {
            return ImportRow(number: number, members: .failure(.row(error.detail)))
        }
    }

    /// nil for what has no tags.
    private mutating func members(_ json: JSON) -> Result<[String: JSON], FieldError>? {
        guard case .object(let element) = json, case .text(let type)? = element["type"],
            case .number(let number)? = element["id"], let id = Int64(exactly: number)
        else { return .failure(.noElement) }
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

extension FieldError {
    fileprivate static let noElement = row("is no element of OpenStreetMap with a type and an id", .type)
}

extension FormError {
    /// What cannot be read further as JSON.
    static func broken(_ fault: JSONText.Fault) -> FormError {
        FormError(.invalidJSON, detail: "The file cannot be read further at byte \(fault.byte): \(fault.detail).")
    }
}
