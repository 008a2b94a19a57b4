internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange

/// A representation of a resource.
enum OGCForm: String, AnswerForm {
    case json = "application/json"
    case geoJSON = "application/geo+json"
    case html = "text/html"

    var mediaType: String { rawValue }
    /// The value of `f` for the representation.
    var word: String { self == .html ? "html" : "json" }
}

struct OGCLink {
    let relation: String
    let url: String
    let type: String
    var title: String?

    func write(to json: inout JSONWriter) {
        json.member("href", url)
        json.member("rel", relation)
        json.member("type", type)
        json.member("title", title)
    }
}

/// A resource of OGC API with its links, as JSON or as a page.
struct OGCPage {
    /// The representation, unless `Accept` decides.
    static let form = Parameter<String?>(
        "f", "the representation; by default `Accept` decides", .words(["json", "html"])
    ) { call throws(Problem) in
        guard let word = call.query.text("f") else { return nil }
        guard ["json", "html"].contains(word) else { throw call.query.invalid("f", "json or html") }
        return word
    }

    /// The URL of the server.
    let base: String
    let form: OGCForm
    /// The representation for programs: JSON, or GeoJSON for features.
    private let data: OGCForm
    private let call: Call

    init(_ call: Call, _ addresses: Addresses, isOfFeatures: Bool = false) throws(Problem) {
        self.call = call
        base = addresses.base(for: call)
        data = isOfFeatures ? .geoJSON : .json
        switch try call[Self.form] {
        case "html": form = .html
        case .some: form = data
        case nil:
            let forms: [OGCForm] = isOfFeatures ? [.geoJSON, .json, .html] : [.json, .html]
            form = try call.accepted(of: forms) == .html ? .html : data
        }
    }

    /// A link below `/ogc` to a resource with path segments, in one representation or the one that `Accept` requests.
    func link(_ relation: String, _ segments: [String], as form: OGCForm? = nil, title: String? = nil) -> OGCLink {
        let path = ([OGCRoutes.path] + segments.map(\.pathSegment)).joined(separator: "/")
        let query = form.map { "?f=\($0.word)" } ?? ""
        return OGCLink(
            relation: relation, url: base + path + query, type: (form ?? .json).mediaType, title: title)
    }

    /// The links to this representation and the other one, and to the next page after a cursor.
    private func links(before cursor: String?) -> [OGCLink] {
        let others = (call.request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("f=") }
        func link(_ relation: String, _ form: OGCForm) -> OGCLink {
            let query = (others + ["f=\(form.word)"]).joined(separator: "&")
            return OGCLink(
                relation: relation, url: base + Self.escaped("\(call.request.uri.path)?\(query)"), type: form.mediaType)
        }
        let next = cursor.map { cursor in
            OGCLink(relation: "next", url: base + Self.escaped(call.next(cursor)), type: form.mediaType)
        }
        return [link("self", form), link("alternate", form == .html ? data : .html)] + [next].compactMap(\.self)
    }

    /// The path and query of a request without characters that end a link in a header.
    private static func escaped(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.union(CharacterSet(charactersIn: "%")))
            ?? path
    }

    /// The answer, whose members other than `links` are written by `write`.
    ///
    /// `further` links are added to the links of every resource. Caches must not keep an answer that is personal, because
    /// it names people or what they own.
    func answer(
        _ title: String, _ further: [OGCLink], before cursor: String? = nil, isPersonal: Bool = false,
        _ write: (inout JSONWriter) -> Void
    ) async throws -> Answer {
        let links = links(before: cursor) + further
        let body = JSONWriter.object { json in
            write(&json)
            json.objects("links", links) { json, link in link.write(to: &json) }
        }
        var answer = Answer(body: body)
        answer.headers[.contentType] = form.mediaType
        if form == .html {
            let page = HTMLPage(title: title, base: "\(base)/")
            answer = try await BackgroundExecutor.run { page.answer(of: try JSON(body, atMost: .max)) }
        }
        answer.headers[.cacheControl] = isPersonal ? "no-store" : "private, no-cache"
        for name in ["Accept", "Authorization", "Cerca-Acting-As"] { answer.headers.vary(on: name) }
        let header = links.map { "<\($0.url)>; rel=\"\($0.relation)\"; type=\"\($0.type)\"" }
        if let name = HTTPField.Name("Link") { answer.headers[name] = header.joined(separator: ", ") }
        return answer
    }
}
