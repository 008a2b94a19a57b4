/// The answers to every caller of each endpoint of fences.
extension CallerRows {
    private static let form = #"{"area":{"lat":39.5,"lon":-0.4,"within_m":100}}"#
    private static let made = #"{"id":"f","area":{"lat":39.5,"lon":-0.4,"within_m":100},"on":["enter","exit"]}"#

    static let fences: [CallerRow] = [
        CallerRow.service("GET /v1/fences", "/v1/fences"),
        .service("GET /v1/fences/{id}", "/v1/fences/f"),
        .service("PUT /v1/fences/{id}", "/v1/fences/f", form),
        .service("DELETE /v1/fences/{id}", "/v1/fences/f"),
        .own("PUT /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/f", form, "201 \(made)"),
        .own("GET /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/f", "200 \(made)"),
        .own("GET /v1/people/{id}/fences", "/v1/people/ana/fences", #"200 {"items":[\#(made)]}"#),
        .own("DELETE /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/f", "204 "),
        .own("GET /v1/people/{id}/watchers", "/v1/people/ana/watchers", #"200 {"items":[]}"#),
        .own(
            "PUT /v1/people/{id}/watchers/{owner}/{fence}", "/v1/people/ana/watchers/luis/f", absent("fence", "f")),
        .own(
            "DELETE /v1/people/{id}/watchers/{owner}/{fence}", "/v1/people/ana/watchers/luis/f",
            absent("fence", "f")),
    ]
}
