internal import Geo
internal import Model
internal import Storage
internal import Structures

/// What only the picture knows of a person, and a stop forgets where no log is followed.
///
/// Machines that follow a log write it, for one that starts again has to judge just as those that went on.
struct Passing: Codable {
    private struct Stayed: Codable {
        var key: PingKey
        var stay: Stay
    }

    private struct Awaited: Codable {
        var fence: FenceNumber
        var due: Timestamp
    }

    private var run: OutlierRun?
    private var suspect: Timestamp?
    /// Since when it is not written how long the person stayed, or where they are.
    private var since: Timestamp?
    private var stays: [Stayed] = []
    private var hasFix = false
    private var fix: LiveFix?
    private var awaited: [Awaited] = []
    private var events: EventCount?

    /// What the picture knows of a person; nil for nothing.
    init?(of person: PersonNumber, in picture: borrowing Picture) {
        run = picture.people.outliers.runs[person]
        suspect = picture.people.outliers.newestSuspects[person]
        if let sightings = picture.people.unwrittenStays[person] {
            since = sightings.since
            stays = sightings.stays.sorted { $0.key < $1.key }.map { Stayed(key: $0.key, stay: $0.value) }
            hasFix = sightings.hasFix
            fix = hasFix ? picture.people.live(of: person) : nil
        }
        awaited = picture.fences.silences.dues(of: person).sorted { $0.key < $1.key }.map {
            Awaited(fence: $0.key, due: $0.value)
        }
        events = picture.eventCounts[person]
        if run == nil, suspect == nil, since == nil, awaited.isEmpty, events == nil { return nil }
    }

    /// Lets a picture that was read from the file know it.
    func restore(_ person: PersonNumber, in picture: inout Picture) {
        for one in stays {
            picture.people.confirm(person, one.key, one.stay, at: since ?? one.stay.until)
        }
        if hasFix { picture.people.locate(person, at: fix, received: since) }
        if let suspect { picture.people.outliers.restoreSuspect(of: person, at: suspect) }
        picture.people.outliers.setRun(run, of: person)
        picture.eventCounts[person] = events
        for one in awaited where picture.fences.silences.naming[person]?.numbers.contains(one.fence) ?? false {
            picture.apply(.awaited(one.fence, person, until: one.due) as FenceChange)
        }
    }
}

/// What only the picture knows of nobody in particular.
struct Standing: Codable {
    /// The numbers that are given next, which those of things that are gone are not below.
    private var people: PersonNumber
    private var places: PlaceNumber
    private var products: ProductNumber
    private var comments: CommentNumber
    private var devices: DeviceNumber
    private var groups: GroupNumber
    private var fences: FenceNumber
    private var shares: ShareNumber
    private var webhooks: WebhookNumber
    private var recentlyDeleted: RecentlyDeleted?
    /// The newest time of a message of the log that was followed.
    private var time: Timestamp?

    /// Before every message of a log.
    static let beginning = Timestamp(milliseconds: 0)

    /// The newest time of a message that was followed, by what was written of a position.
    static func time(_ standing: [UInt8], at position: LogPosition) throws(StorageError) -> Timestamp {
        // What begins a log has its first message there.
        guard position.number > 0 else { return beginning }
        do {
            var reader = CompactReader(standing)
            return try reader.read(Standing.self).time ?? beginning
        } catch { throw .damaged("how far the log was followed: \(error)") }
    }

    /// What a picture knows when the newest message so far has a time.
    init(of picture: borrowing Picture, at now: Timestamp) {
        people = picture.people.nextNumber
        places = picture.catalogue.placeIndex.nextNumber
        products = picture.catalogue.inventory.nextNumber
        comments = picture.comments.nextNumber
        devices = picture.people.devices.nextNumber
        groups = picture.people.groups.nextNumber
        fences = picture.fences.nextNumber
        shares = picture.shares.nextNumber
        webhooks = picture.webhooks.nextNumber
        recentlyDeleted = picture.people.recentlyDeleted.standing(at: now)
        time = now
    }

    /// Lets a picture that was read from the file know it.
    func restore(in picture: inout Picture) {
        picture.people.skip(to: people)
        picture.catalogue.placeIndex.skip(to: places)
        picture.catalogue.inventory.skip(to: products)
        picture.comments.skip(to: comments)
        picture.people.devices.skip(to: devices)
        picture.people.groups.skip(to: groups)
        picture.fences.skip(to: fences)
        picture.shares.skip(to: shares)
        picture.webhooks.skip(to: webhooks)
        if let recentlyDeleted { picture.people.recentlyDeleted = recentlyDeleted }
    }
}

extension PictureTwins {
    /// Takes from the file what only the picture knew when a log was followed last; nothing from one that follows none.
    mutating func restorePassing(from store: Store) throws(StorageError) {
        guard let (position, standing) = try store.followedLog(), position.number > 0 else { return }
        do {
            var reader = CompactReader(standing)
            let known = try reader.read(Standing.self)
            known.restore(in: &first)
            known.restore(in: &second)
            var states: [(PersonNumber, Passing)] = []
            try store.forEachPassing { person, bytes in
                var reader = CompactReader(bytes)
                states.append((person, try reader.read()))
            }
            for (person, passing) in states {
                passing.restore(person, in: &first)
                passing.restore(person, in: &second)
            }
        } catch let error as DecodingError { throw .damaged("what passes: \(error)") } catch {
            throw StorageError(error)
        }
    }
}

extension Picture {
    /// Writes what only the picture knows of people of whom something changed.
    func keepPassing(of touched: Set<PersonNumber>, in transaction: Transaction) throws {
        for person in touched.sorted() where people.contains(person) {
            let bytes = try Passing(of: person, in: self).map { passing in
                let writer = CompactWriter()
                try writer.write(passing)
                return writer.bytes
            }
            try transaction.keepPassing(bytes, of: person)
        }
    }
}

extension Change {
    /// Of whom it may change what only the picture knows.
    var touched: PersonNumber? {
        switch self {
        case .pings(let change): change.person
        case .people(.eventCounted(let person, _, _)), .people(.eventsLimited(let person, _, _)): person
        case .fences(.awaited(_, let person, _)), .fences(.unwatched(_, let person)): person
        default: nil
        }
    }
}

extension PingChange {
    /// Whose positions it is about.
    fileprivate var person: PersonNumber {
        switch self {
        case .stored(let ping), .suspected(let ping): ping.person
        case .newest(let person, _), .outlierRun(let person, _), .confirmed(let person, _, _, _),
            .seen(let person, _, _, _), .located(let person, _, _), .kept(let person, _), .untold(let person, _),
            .erased(let person, _, _, _):
            person
        }
    }
}
