internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// What OwnTracks shows of a person's friends, and of the person, whom the app drops from its list when the answer does.
struct OwnTracksFriends {
    /// How many friends an answer has at most, the nearest.
    private static let most = 1000

    fileprivate struct Sighting {
        let place: Coordinate
        let time: Timestamp
        /// How far from there the person may have been, in metres; nil if nobody says.
        let accuracy: Double?
    }

    private let own: Person
    private let ownSighting: Sighting?
    private let ownTopic: String
    /// What the phone calls itself.
    private let tracker: String?
    /// All friends, whether their place is known or not.
    private var friends: [Person] = []
    private var nearby: [(friend: Person, sighting: Sighting)] = []

    /// Looks them up as the person may know them; the phone finds itself in the answer by what it calls itself in `message`.
    ///
    /// - Throws: ``Refusal`` when there is no such person any more, or `CancellationError`.
    init(of id: PersonID, from device: DeviceID, _ message: OwnTracks, in live: Live, at now: Timestamp) async throws {
        let caller = Caller.person(id)
        let (view, position) = try live.read { picture throws(Refusal) in
            (try picture.person(id, for: caller), try? picture.position(of: id, for: caller, at: now))
        }
        switch view {
        case .whole(let record): own = record.value
        case .part(let person): own = person
        }
        ownTopic = message.topic ?? Self.topic(id, device.text)
        tracker = message.tracker
        ownSighting = position.map(Sighting.init)
        // Who was never anywhere sees friends from the place that was just sent.
        guard let first = position?.place ?? message.reading.fixes.last?.place else { return }
        friends = try await live.people(.friends, of: id, at: now).people.map(\.person)
        let search = NearestFriends(of: id, NearestQuery(limit: Self.most), from: first, by: caller, at: now)
        let found = try await live.readInParts(search).page?.items ?? []
        nearby = found.map { ($0.person, Sighting($0.position)) }
    }

    /// A `location` of everybody whose place is known, and a `card` of each.
    ///
    /// Pictures are addresses here, which nobody fetches, and a card wants the bytes of one: there is none.
    var answer: Answer {
        let tracker = tracker ?? TrackerIDs.own(own)
        let trackers = TrackerIDs(for: friends, besides: tracker)
        let known = nearby.compactMap { friend, sighting in
            trackers[friend.id].map {
                (person: friend, sighting: sighting as Sighting?, tracker: $0, topic: Self.topic(friend.id, "cerca"))
            }
        }
        var json = JSONWriter(capacity: 256 * (known.count + 1))
        json.list([(person: own, sighting: ownSighting, tracker: tracker, topic: ownTopic)] + known) { json, entry in
            if let sighting = entry.sighting { json.location(entry.tracker, sighting, entry.topic) }
            json.card(entry.tracker, Self.name(entry.person))
        }
        return Answer(headers: [.contentType: "application/json"], body: json.bytes, answersQuestions: true).unstored
    }

    private static func name(_ person: Person) -> String {
        let words = [person.name, person.surname].compactMap(\.self).filter { !$0.isEmpty }
        return words.isEmpty ? person.id.text : words.joined(separator: " ")
    }

    /// `owntracks/<person>/<device>`; what means something in topics is percent-encoded.
    private static func topic(_ person: PersonID, _ device: String) -> String {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~@:"))
        let parts = [person.text, device].map { $0.addingPercentEncoding(withAllowedCharacters: plain) ?? $0 }
        return "owntracks/\(parts.joined(separator: "/"))"
    }
}

extension OwnTracksFriends.Sighting {
    fileprivate init(_ position: Position) {
        place = position.place
        time = position.seenUntil ?? position.time
        accuracy = position.reach
    }
}

extension JSONWriter {
    fileprivate mutating func location(_ tracker: String, _ sighting: OwnTracksFriends.Sighting, _ topic: String) {
        object { json in
            json.member("_type", "location")
            json.member("tid", tracker)
            json.coordinate(sighting.place)
            json.member("tst", sighting.time.milliseconds / 1000)
            json.member("acc", sighting.accuracy.map { Int64($0.rounded(.up)) })
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
