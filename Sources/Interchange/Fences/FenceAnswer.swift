package import Discovery
package import Model

extension JSONWriter {
    package mutating func fence(_ fence: Fence) {
        member("id", fence.id.text)
        if case .person(let middle, let metres) = fence.area {
            object("near") { json in
                json.member("of", middle.text)
                json.who(fence.watched)
                json.nearness(metres, fence.margin)
            }
        } else {
            member(fence.area)
            switch fence.watched {
            case .everybody: member("everybody", true)
            case .people(let people):
                if fence.owner == nil || people != fence.owner.map({ [$0] }) { member("people", people.map(\.text)) }
            case .group(let group): member("group", group.text)
            case .attributes(let wanted): member(wanted)
            case .friends: break
            }
        }
        terms(of: fence)
        member("note", fence.note)
    }

    private mutating func member(_ wanted: [String: [String]]) {
        object("attributes") { json in
            for (name, values) in wanted.sorted(by: { $0.key < $1.key }) {
                if values.count == 1 { json.member(name, values[0]) } else { json.member(name, values) }
            }
        }
    }

    private mutating func who(_ watched: Fence.Watched) {
        switch watched {
        case .everybody, .attributes: break
        case .people(let people): member("who", people.map(\.text))
        case .group(let group): object("who") { $0.member("group", group.text) }
        case .friends: member("who", "friends")
        }
    }

    private mutating func nearness(_ metres: Double, _ margin: Double?) {
        member("within_m", metres)
        member("margin_m", margin)
    }

    /// The transitions that a fence reports, and when it is active.
    private mutating func terms(of fence: Fence) {
        member("on", fence.passages.map(\.rawValue))
        member("dwell_s", fence.dwell?.seconds)
        member("silent_s", fence.silence?.seconds)
        if case .person = fence.area {} else { member("margin_m", fence.margin) }
        member("confirm", fence.confirm.map(Int64.init))
        timetable(fence.timetable)
        member("ends", fence.ends)
        if fence.isOnce { member("once", true) }
    }

    /// A friend's fence as visible to a person whom it watches, without other watched people and the friend's note.
    package mutating func watcher(_ watcher: Watcher) {
        member("owner", watcher.owner.text)
        member("fence", watcher.fence.id.text)
        if case .person(_, let metres) = watcher.fence.area {
            object("near") { $0.nearness(metres, watcher.fence.margin) }
        } else if watcher.fence.area != .anywhere {
            object("area") { json in
                json.area(watcher.fence.area)
                if let shape = watcher.placeArea?.shape { json.area(shape) }
            }
        }
        terms(of: watcher.fence)
        member("asked", watcher.watch.asked)
        if watcher.watch.state == .accepted { member("accepted", watcher.watch.answered) }
        member("watching", watcher.isWatching)
    }

    private mutating func member(_ area: Fence.Area) {
        if area != .anywhere { object("area") { $0.area(area) } }
    }
}
