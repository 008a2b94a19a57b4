internal import Interchange
internal import Model

extension Schema {
    private static let precision = words(["exact", "approximate", "city"])
    private static let arrival = form(
        ["place": id, "within_m": number(Share.arrivals)], required: ["place", "within_m"]
    ).named("Arrival")

    static let shareForm = form([
        "precision": precision.described("The coarser of this and friends' precision applies; by default approximate"),
        "expires": instant.described("When it ends, within a week; or `for_s`"),
        "for_s": number(1...Share.longest.seconds).described("Seconds until it ends"),
        "until": arrival.described("It ends when it shows that the person is this near to a place"),
        "trail": flag.described("Whether the track since it was created is visible"),
        "label": prose(0...100).described("Its name, which viewers see too"),
    ]).named("ShareForm")

    private static let members: [String: Schema] = [
        "id": id, "precision": precision, "since": time, "expires": time, "until": arrival, "trail": flag,
        "label": text(), "views": count.described("How often it was opened"),
    ]

    static let share = object(members, required: ["id", "precision", "since", "expires", "trail", "views"])
        .named("Share")

    static let openedShare = object(
        members.merging(["url": text().described("The address, which is returned only now")]) { $1 },
        required: ["id", "precision", "since", "expires", "trail", "views", "url"]
    ).named("OpenedShare")

    private static let trailPoint = object(
        ["lat": latitude, "lon": longitude, "at": time, "precision": precision],
        required: ["lat", "lon", "at", "precision"])

    static let sharedView = object(
        [
            "label": text(), "expires": time,
            "position": livePosition.orNull.described("The person's position; null if it is not visible"),
            "trail": list(of: trailPoint).described("The positions since the link was created, oldest first"),
        ], required: ["expires", "position"]
    ).named("SharedView")

    private static let shown: [String: Schema] = [
        "id": id, "kind": text(), "name": text(), "lat": latitude, "lon": longitude, "address": text(),
    ]

    static let shownPlace = object(shown, required: ["id", "kind", "name"]).named("ShownPlace")

    private static let shownItem = object(
        ["id": id, "brand": text(), "name": text(), "price": count, "currency": currency], required: ["id", "name"])

    static let shownProduct = object(
        shown.merging(["product": shownItem.described("The product, at the store's price or the usual one")]) { $1 },
        required: ["id", "kind", "name", "product"]
    ).named("ShownProduct")
}
