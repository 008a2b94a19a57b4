internal import Interchange

/// Schemas that several kinds of documents share.
extension Schema {
    static let latitude = number(-90...90)
    static let longitude = number(-180...180)

    /// A position on the Earth, in degrees.
    static let coordinate = object(["lat": latitude, "lon": longitude], required: ["lat", "lon"])

    static let attributes = Schema.map(
        of: either(prose(0...2000), number(), flag, list(of: prose(0...200), atMost: 100))
    ).with("propertyNames", .object(prose(0...64).json))

    /// Opening hours and their time zone.
    static let timetable = form(
        ["hours": prose(1...1000), "timezone": prose(1...64)], required: ["hours", "timezone"]
    ).named("Timetable")

    /// A time in a body: RFC 3339, or seconds or milliseconds since 1970.
    static let instant = either(time, number(0...253_402_300_799_999))

    /// The error of one value.
    static let fieldError = object(
        [
            "pointer": text().described("A JSON pointer, or ? and the name of a parameter"), "code": text(),
            "detail": text(),
        ], required: ["pointer", "code", "detail"]
    ).named("FieldError")

    /// An error (RFC 9457).
    static let problem = object(
        [
            "type": text(), "title": text(), "status": integer(400...599),
            "code": words(Problem.Code.allCases.map(\.rawValue)), "detail": text(),
            "instance": text().described("Identifies this occurrence, also in the service's messages"),
            "errors": list(of: fieldError),
        ], required: ["type", "title", "status", "code", "instance"]
    ).named("Problem")

    /// The values taken from the profile of the person whom products should fit, and those it lacks.
    static let fit = object(
        ["person": id, "size": list(of: text()), "gender": list(of: text()), "unknown": list(of: text())],
        required: ["person"]
    ).named("Fit")

    /// The facets by which a list can be narrowed down.
    static let facets = object(
        [
            "count": count,
            "facets": map(
                of: list(
                    of: object(
                        [
                            "value": either(text(), number(), flag), "count": count, "price_min": count,
                            "price_max": count,
                        ], required: ["value", "count"]))),
            "attributes": map(of: object(["count": count, "min": number(), "max": number()], required: ["count"])),
            "more": list(of: text()).described("The facets with more values than were requested"),
            "truncated": flag, "for": fit, "explain": explanation,
        ], required: ["count", "facets"]
    ).named("Facets")
}
