internal import Interchange

extension [Reply] {
    /// A resource as JSON or GeoJSON, and as a page.
    static func ogc(_ schema: Schema, as form: OGCForm = .json) -> [Reply] {
        content([form.mediaType: schema, OGCForm.html.mediaType: .text()])
    }
}

/// Schemas of OGC API - Features 1.0.
extension Schema {
    private static let links = list(
        of: object(["href": text(), "rel": text(), "type": text(), "title": text()], required: ["href", "rel"])
            .named("OGCLink"))

    static let ogcLanding = object(
        ["title": text(), "description": text(), "links": links], required: ["links"]
    ).named("OGCLandingPage")

    static let ogcConformance = object(
        ["conformsTo": list(of: text()), "links": links], required: ["conformsTo"]
    ).named("OGCConformance")

    static let ogcCollection = object(
        [
            "id": text(), "title": text(), "description": text(), "itemType": words(["feature"]),
            "crs": list(of: text()), "links": links,
        ], required: ["id", "links"]
    ).named("OGCCollection")

    static let ogcCollections = object(
        ["links": links, "collections": list(of: ogcCollection)], required: ["links", "collections"]
    ).named("OGCCollections")

    private static let featureMembers: [String: Schema] = [
        "type": words(["Feature"]), "id": text(),
        "geometry": object(
            ["type": words(["Point"]), "coordinates": list(of: number()).described("Longitude, latitude")],
            required: ["type", "coordinates"]),
        "properties": map(of: anything),
    ]

    private static func feature(_ more: [String: Schema]) -> Schema {
        object(featureMembers.merging(more) { $1 }, required: ["type", "id", "geometry", "properties"])
    }

    static let ogcFeature = feature(["links": links]).named("OGCFeature")

    static let ogcFeatures = object(
        [
            "type": words(["FeatureCollection"]), "features": list(of: feature([:])), "links": links,
            "numberMatched": count.described("The number of features on all pages, if it is known"),
            "numberReturned": count,
        ], required: ["type", "features", "links", "numberReturned"]
    ).named("OGCFeatures")
}
