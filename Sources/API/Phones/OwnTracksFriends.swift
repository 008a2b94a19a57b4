internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// OwnTracks' list of a person's friends, and of the person, whom the app removes if the answer does not include them.
struct OwnTracksFriends {
    /// The most friends in an answer, the nearest first.
    private static let most = 1000

    fileprivate struct FriendPosition {
        let place: Coordinate
        let time: Timestamp
        /// The radius in meters within which the person may have been; nil if unknown.
        let accuracy: Double?
    }

    private let own: Person
    private let ownPosition: FriendPosition?
    private let ownTopic: String
    /// The phone's tracker id.
    private let tracker: String?
    /// All friends, whether their position is known or not.
    private var friends: [Person] = []
    private var nearby: [(friend: Person, position: FriendPosition)] = []

    /// Looks up the friends as the person may see them; the phone finds itself by its ids in `message`.
    ///
    /// - Throws: ``Refusal`` when the person has been deleted, or `CancellationError`.
    init(of id: PersonID, from device: DeviceID, _ message: OwnTracks, in engine: Engine, at now: Timestamp)
        async throws
    {
        let caller = Caller.person(id)
        let (view, position) = try engine.read { state throws(Refusal) in
            (try state.person(id, for: caller), try? state.position(of: id, for: caller, at: now))
        }
        switch view {
        case .whole(let record): own = record.value
        case .part(let person): own = person
        }
        ownTopic = message.topic ?? Self.topic(id, device.text)
        tracker = message.tracker
        ownPosition = position.map(FriendPosition.init)
        // A person without a position sees friends from the one that was just sent.
        guard let first = position?.place ?? message.reading.fixes.last?.place else { return }
        friends = try await engine.people(.friends, of: id, at: now).people.map(\.person)
        let search = NearestFriends(of: id, NearestQuery(limit: Self.most), from: first, by: caller, at: now)
        let found = try await engine.readInParts(search).page?.items ?? []
        nearby = found.map { ($0.person, FriendPosition($0.position)) }
    }

    /// A `location` of each person whose position is known, and a `card` of each.
    ///
    /// The cards have no picture: they need its bytes, but pictures are URLs here, which are not fetched.
    var answer: Answer {
        let tracker = tracker ?? TrackerIDs.own(own)
        let trackers = TrackerIDs(for: friends, besides: tracker)
        let known = nearby.compactMap { friend, position in
            trackers[friend.id].map {
                (
                    person: friend, position: position as FriendPosition?, tracker: $0,
                    topic: Self.topic(friend.id, "cerca")
                )
            }
        }
        var json = JSONWriter(capacity: 256 * (known.count + 1))
        json.list([(person: own, position: ownPosition, tracker: tracker, topic: ownTopic)] + known) { json, entry in
            if let position = entry.position { json.location(entry.tracker, position, entry.topic) }
            json.card(entry.tracker, Self.name(entry.person))
        }
        return Answer(headers: [.contentType: "application/json"], body: json.bytes, isCompressible: true).unstored
    }

    private static func name(_ person: Person) -> String {
        let words = [person.name, person.surname].compactMap(\.self).filter { !$0.isEmpty }
        return words.isEmpty ? person.id.text : words.joined(separator: " ")
    }

    /// `owntracks/<person>/<device>`, with characters that are special in topics percent-encoded.
    private static func topic(_ person: PersonID, _ device: String) -> String {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~@:"))
        let parts = [person.text, device].map { $0.addingPercentEncoding(withAllowedCharacters: plain) ?? $0 }
        return "owntracks/\(parts.joined(separator: "/"))"
    }
}

extension OwnTracksFriends.FriendPosition {
    fileprivate init(_ position: Position) {
        place = position.place
        time = position.seenUntil ?? position.time
        accuracy = position.reach
    }
}

extension JSONWriter {
    fileprivate mutating func location(_ tracker: String, _ position: OwnTracksFriends.FriendPosition, _ topic: String)
    {
        object { json in
            json.member("_type", "location")
            json.member("tid", tracker)
            json.coordinate(position.place)
            json.member("tst", position.time.milliseconds / 1000)
            json.member("acc", position.accuracy.map { Int64($0.rounded(.up)) })
            json.member("topic", topic)
        }
    }

    fileprivate mutating func card(_ tracker: String, _ name: String) {
        object { json in
            json.member("_type", "card")
            json.member("tid", tracker)
            json.member("name", name)
        }
    }
}
