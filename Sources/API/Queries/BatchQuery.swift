internal import Foundation
internal import HTTPTypes
internal import Interchange

/// A query of a batch, converted to the URL of the equivalent `GET`.
///
/// So both accept and refuse the same parameters, and share their cursors.
struct BatchQuery {
    /// The index of its route.
    let number: Int
    private let route: QueryRoute
    private let id: String?
    private let query: String
    /// The number of vertices of its area, or a few more.
    let vertices: Int

    /// More than any route has parameters.
    private static let mostMembers = 100

    /// - Throws: ``FormError`` if no route matches, or a member cannot be the value of a parameter.
    init(_ json: JSON, at pointer: String, of routes: [QueryRoute]) throws(FormError) {
        var members = try Self.members(of: json, at: pointer)
        guard let number = Self.route(of: members, routes) else {
            throw .invalid([FieldError(pointer: pointer, code: .required, detail: Self.choice(routes))])
        }
        self.number = number
        route = routes[number]
        if route.word != nil { members[route.member] = nil }
        if let name = route.idMember {
            guard case .text(let id)? = members.removeValue(forKey: name) else {
                throw .invalid([
                    FieldError(
                        pointer: "\(pointer)/\(name)", code: .required, detail: "is required, the id as a string")
                ])
            }
            self.id = id
        } else {
            id = nil
        }
        var pairs: [String] = []
        var vertices = 0
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let text = Self.text(value) else {
                let place = "\(pointer)/\(name.pointerToken)"
                throw .invalid([
                    FieldError(pointer: place, code: .type, detail: "has an array or an object in an array")
                ])
            }
            // In GeoJSON each position is a list.
            if name == "in" { vertices = text.utf8.count { $0 == UInt8(ascii: "[") } }
            pairs.append("\(Self.encoded(name))=\(Self.encoded(text))")
        }
        self.vertices = vertices
        query = pairs.joined(separator: "&")
    }

    private static func members(of json: JSON, at pointer: String) throws(FormError) -> [String: JSON] {
        guard case .object(let members) = json else {
            throw .invalid([FieldError(pointer: pointer, code: .type, detail: "is \(json.kind); must be an object")])
        }
        guard members.count <= mostMembers else {
            let detail = "has \(members.count) members; may have at most \(mostMembers)"
            throw .invalid([FieldError(pointer: pointer, code: .tooMany, detail: detail)])
        }
        return members.filter { $0.value != .null }
    }

    /// The equivalent `GET`, on behalf of the caller.
    ///
    /// - Throws: ``Problem`` if the caller may not use the route, or the parameters are not valid for it.
    func call(on call: Call) throws(Problem) -> Call {
        if let principal = call.principal { try route.access.admit(principal, toWhatBelongsTo: id) }
        let parameters = try Parameters(
            query: query, known: route.description.names, repeatable: route.description.repeatable)
        let path = id.map { route.path.replacing("{id}", with: Self.encoded($0)) } ?? route.path
        let address = query.isEmpty ? path : "\(path)?\(query)"
        return call.asking(address, path: id.map { ["id": $0] } ?? [:], parameters)
    }

    /// Selects by a fixed word, such as `nearest`, before a member that may be its parameter, such as `person`.
    private static func route(of members: [String: JSON], _ routes: [QueryRoute]) -> Int? {
        if let number = routes.firstIndex(where: { $0.word.map { .text($0) } == members[$0.member] && $0.word != nil })
        {
            return number
        }
        guard !routes.contains(where: { $0.word != nil && members[$0.member] != nil }) else { return nil }
        return routes.firstIndex { $0.word == nil && members[$0.member] != nil }
    }

    private static func choice(_ routes: [QueryRoute]) -> String {
        let choice = routes.map { route in
            route.word.map { "\"\(route.member)\":\"\($0)\"" } ?? "\"\(route.member)\":<id>"
        }
        return "has no query; must have one of \(choice.sorted().joined(separator: ", "))"
    }

    /// Converts a value to a parameter: lists are separated by commas, and an object, which is GeoJSON, is JSON.
    private static func text(_ value: JSON) -> String? {
        switch value {
        case .text(let text): return text
        case .list(let items):
            let texts = items.map { item -> String? in
                switch item {
                case .list, .object, .null: nil
                default: text(item)
                }
            }
            return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ",")
        default:
            var json = JSONWriter()
            json.value(value)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
