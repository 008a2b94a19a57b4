internal import Interchange

extension Schema {
    private static let verdicts = map(of: count).described("The number of positions with each verdict")
    private static let refused = list(
        of: object(
            ["row": count, "line": count, "byte": count, "errors": list(of: fieldError)],
            required: ["row", "errors"]
        ).named("RefusedRow"))
    private static let remarked = list(
        of: object(["row": count, "remarks": list(of: fieldError)], required: ["row", "remarks"]))

    private static let columns = list(
        of: object(
            [
                "name": text(), "read_as": text(), "values": count, "not_read": count,
                "doubts": list(of: object(["row": count, "detail": text()], required: ["row", "detail"])),
            ], required: ["name", "values", "not_read"]
        ).named("ReadColumn"))

    static let importReport = object(
        [
            "rows": count, "created": count, "updated": count, "pruned": count, "verdicts": verdicts,
            "columns": columns, "columns_truncated": flag, "refused": refused,
            "refused_count": count, "refused_truncated": flag, "normalised": remarked, "normalised_count": count,
            "normalised_truncated": flag, "doubted": remarked, "doubted_count": count, "doubted_truncated": flag,
            "hours_not_understood": remarked, "hours_not_understood_count": count,
            "hours_not_understood_truncated": flag,
            "notes": list(of: text()),
        ], required: ["rows", "refused", "refused_count"]
    ).named("ImportReport")

    static let trackReport = object(
        [
            "format": text(), "rows": count, "stored": count, "verdicts": verdicts, "without_time": count,
            "interval": text(),
            "refused": refused, "refused_count": count, "refused_truncated": flag, "notes": list(of: text()),
            "broken_off": object(["line": count, "byte": count, "detail": text()], required: ["detail"]),
        ], required: ["rows", "stored", "verdicts", "without_time", "refused", "refused_count"]
    ).named("TrackReport")
}
