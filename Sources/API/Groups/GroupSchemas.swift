internal import Interchange

extension Schema {
    private static let members = ["name": prose(1...200), "photo": url, "timetable": timetable, "owner": id]

    /// The form of a new group; services specify its owner, and may choose its id.
    static let groupForm = form(members.merging(["id": id]) { own, _ in own }, required: ["name"]).named("GroupForm")
    static let groupPatch = form(members.merging(["id": id]) { own, _ in own }, lasting: ["name", "owner"])
        .named("GroupPatch")

    static let group = object([
        "id": id, "name": text(), "photo": url, "timetable": timetable, "owner": id, "since": time, "members": count,
    ]).named("Group")

    static let invitation = object([
        "id": id, "name": text(), "photo": url, "by": acquaintance, "at": time,
    ]).named("Invitation")
}
