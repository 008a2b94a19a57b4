internal import Discovery
internal import Geo
internal import Model
internal import Storage

extension PersonExport {
    /// The lists of the document, which must cover all data stored about people.
    package static let parts: [Part] = [
        .list("devices") { subject in
            try subject.engine.devices(of: subject.id)
        } _: { json, listed in
            json.device(listed)
        },
        .rows("friends", { $0.engine.store.friendships(of: $0.number) }, where: { $0.since != nil }) { json, row in
            json.member("id", row.other.text)
            json.member("asked_by", row.wasAsked ? "them" : "me")
            json.member("asked", row.asked)
            json.member("since", row.since)
        },
        .rows("requests", { $0.engine.store.friendships(of: $0.number) }, where: { $0.since == nil }) { json, row in
            json.member("id", row.other.text)
            json.member("asked_by", row.wasAsked ? "them" : "me")
            json.member("asked", row.asked)
        },
        .rows("former_friends", { $0.engine.store.formerFriendships(of: $0.number) }) { json, row in
            json.member("id", row.other.text)
            json.member("since", row.since)
            json.member("until", row.until)
        },
        .list("labels") { subject in
            try await subject.engine.notes(of: subject.id)
        } _: { json, entry in
            json.member("id", entry.friend.text)
            json.notes(entry.notes)
        },
        .rows("blocks", { $0.engine.store.blocks(of: $0.number) }) { json, row in
            json.member("id", row.other.text)
            json.member("since", row.since)
        },
        .rows("decisions", { $0.engine.store.decisions(of: $0.number) }) { json, row in
            json.member("id", row.other.text)
            json.member("like", row.likes)
            json.member("at", row.time)
        },
        .list("matches") { subject in
            try await subject.engine.people(.matches, of: subject.id, at: subject.received).people
        } _: {
            $0.member("id", $1.person.id.text)
        },
        .list("groups") { subject in
            try await subject.engine.groups(of: subject.id)
        } _: { json, own in
            json.group(own.group.record.value, showsOwner: own.group.showsOwner)
            json.member("since", own.since)
        },
        .list("fences") { subject in
            try subject.engine.read { state throws(Refusal) in
                try state.fences(of: subject.id, after: nil, atMost: .max)
            }
        } _: { json, fence in
            json.fence(fence.value)
        },
        .list("watchers") { subject in
            try subject.engine.read { state throws(Refusal) in try state.watchers(of: subject.id) }
        } _: {
            $0.watcher($1)
        },
        .list("shares") { subject in
            try subject.engine.shares(of: subject.id, at: subject.received)
        } _: { json, open in
            json.share(open)
        },
        events,
        .list("invitations") { subject in
            try await subject.engine.invitations(of: subject.id)
        } _: { json, invitation in
            json.member("id", invitation.group.id.text)
            json.member("name", invitation.group.name)
            json.member("by", invitation.inviter.id.text)
            json.member("at", invitation.time)
        },
        .list("places") { subject in
            try await subject.engine.places(ownedBy: subject.id)
        } _: {
            $0.placeDocument($1, to: .service)
        },
        favourites(.people),
        favourites(.places),
        favourites(.products),
        .rows("comments", { $0.engine.store.comments(by: $0.number) }) { json, row in
            json.member("id", row.id.text)
            json.member("place", row.place.text)
            json.member("text", row.text)
            json.member("at", row.at)
            json.member("edited_at", row.editedAt)
        },
        .rows("sharings", { $0.engine.store.sharings(of: $0.number) }) { json, row in
            json.member("since", row.since)
            json.member("sharing") { $0.terms(row.sharing) }
        },
        .list("discovery_positions") { subject in
            [try traces(of: subject).searchOrigin].compactMap(\.self)
        } _: { json, searchOrigin in
            if let place = searchOrigin.place { json.coordinate(place) }
            json.member("moved", searchOrigin.moved)
        },
        .list("residences") { subject in
            [try traces(of: subject).residence].compactMap(\.self)
        } _: { json, residence in
            json.member("cell", residence.cell)
            json.member("since", residence.since)
        },
        .list("remembered_places") { subject in
            try traces(of: subject).rememberedCells
        } _: { json, remembered in
            if let key = remembered.key { json.member("t", key.time) }
            json.coordinate(remembered.place)
            json.member("public_cell", remembered.cell)
        },
        .list("live_position") { subject in
            [try subject.engine.read { state throws(Refusal) in try state.liveFix(of: subject.id) }].compactMap(
                \.self)
        } _: { json, fix in
            json.member("t", fix.time)
            json.coordinate(fix.place)
            if let accuracy = fix.accuracy { json.member("accuracy_m", Double(accuracy)) }
        },
        positions,
    ]

    private static func favourites(_ kind: FavouriteKind) -> Part {
        .rows("favourite_\(kind.rawValue)", { $0.engine.store.favourites(kind, of: $0.number) }) { json, row in
            json.member("id", row.other.text)
            json.member("since", row.since)
        }
    }

    private static func traces(of subject: Subject) throws -> StrangerTraces {
        try subject.engine.read { state throws(Refusal) in try state.strangerTraces(of: subject.id) }
    }

    /// The stored events that name the person.
    private static let events = Part(name: "events") { subject, give in
        let numbers = subject.engine.eventNumbers(for: .person(subject.id))
        var last: Int64 = 0
        while true {
            let events = try await subject.engine.keptEvents(
                of: subject.number, after: last, at: subject.received)
            guard let number = events.last?.number else { return }
            last = number
            try await give(events.map { event in JSONWriter.object { $0.event(event, numbers) } })
        }
    }

    /// Every stored position with all of its fields, including suspect positions.
    private static let positions = Part(name: "positions") { subject, give in
        let all = Timestamp(milliseconds: 0)..<Timestamp.latest + .milliseconds(1)
        var reader = try subject.engine.history(HistoryQuery(of: subject.id, in: all))
        while let points = try await reader.next() {
            try await give(points.map { point in JSONWriter.object { $0.held(point.ping) } })
        }
    }
}

extension JSONWriter {
    /// A stored position, including the fields on which the verdicts about later positions depend.
    fileprivate mutating func held(_ ping: StoredPing) {
        self.ping(ping)
        if !ping.gaps.isEmpty {
            objects("gaps", ping.gaps) { json, gap in
                json.member("from", gap.from)
                json.member("to", gap.to)
            }
        }
        member("received", ping.received)
        member("public_cell", ping.publicCell)
    }

    fileprivate mutating func member(_ name: String, _ cell: CubeCell) {
        member(name, String(cell.id, radix: 16))
    }
}
