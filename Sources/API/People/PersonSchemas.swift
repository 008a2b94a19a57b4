internal import Interchange
internal import Model

extension Schema {
    private static let precision = word(Precision.self)
    private static let alerts = word(Alerts.self).described("The fences that may report the person; by default none")

    private static let zone = form(
        ["id": id, "lat": latitude, "lon": longitude, "radius_m": number(PrivacyZone.radii)],
        required: ["id", "lat", "lon", "radius_m"]
    ).named("Zone")

    private static let sharingForm = form([
        "precision": precision, "paused_until": instant, "timetable": timetable,
        "zones": list(of: zone, atMost: PrivacyZone.most), "alerts": alerts,
    ]).named("SharingForm")

    private static let throttleForm = form([
        "distance_m": number(0...20_000_000), "interval_s": number(0...2_678_400),
    ]).named("ThrottleForm")

    private static let personMembers = [
        "id": id, "name": prose(0...200), "surname": prose(0...200), "city": prose(0...200), "born": date,
        "sex": word(Sex.self), "relationship": word(Relationship.self),
        "email": text(1...254, pattern: "^[^\\u0000-\\u001f\\u007f]*@[^\\u0000-\\u001f\\u007f]*$"),
        "phone": prose(0...50), "photo": url, "about": prose(0...4000), "attributes": attributes,
        "discoverable": flag, "searchable": flag, "searchable_by_email": flag, "sharing": sharingForm,
        "throttle": throttleForm, "retention_s": number(1...3.2e9), "tokens_not_before": instant,
    ]
    /// The form of a person; omitted `city`, `born`, privacy and retention members keep their stored values.
    static let personForm = form(personMembers).named("PersonForm")
    /// The form of a person whose id the server chooses.
    static let newPersonForm = form(personMembers.filter { $0.key != "id" }).named("NewPersonForm")

    /// A person, reduced to what the caller may see.
    static let person = object([
        "id": id, "name": text(), "surname": text(), "city": text(), "born": date, "sex": word(Sex.self),
        "relationship": word(Relationship.self), "email": text(), "phone": text(), "photo": url, "about": text(),
        "attributes": attributes, "discoverable": flag, "searchable": flag, "searchable_by_email": flag,
        "sharing": object([
            "precision": precision, "paused_until": time, "timetable": timetable, "zones": list(of: zone),
            "alerts": alerts,
        ]).named("Sharing"),
        "throttle": object(["distance_m": number(), "interval_s": number()]), "retention_s": number(),
        "tokens_not_before": time.described("Tokens of the person issued before this time are invalid"),
    ]).named("Person")

    /// A person's name and city, with more for friends.
    static let acquaintance = object(
        [
            "id": id, "name": text(), "surname": text(), "city": text(), "photo": url,
            "since": time.described("Since when this is a favorite, in lists of favorites"),
        ].merging(friendAttributes) { $1 }
    ).named("Acquaintance")

    /// The reader's notes about a friend.
    static let friendAttributes = Dictionary(
        uniqueKeysWithValues: FriendAttribute.allCases.map { attribute in
            let schema = attribute.words.map { words($0.map(\.rawValue)) } ?? text()
            return (attribute.rawValue, schema.described("For the reader alone: \(attribute.subject)"))
        })

    /// A person found by a search; with the position, in a service's list of all people.
    static let personFound = object([
        "id": id, "name": text(), "surname": text(), "city": text(), "lat": latitude, "lon": longitude,
        "at": fixTime, "since": stayStart, "seen_until": seenUntil,
    ]).named("PersonFound")

    /// All data held about a person: the document, and a list for each kind of record.
    static let personExport = object(["person": person], required: ["person"])
        .with("additionalProperties", .object(list(of: anything).json)).named("PersonExport")
}
