internal import Cities
internal import Geo
internal import Model
internal import Storage
internal import Structures

/// The in-memory state: positions, ties and stock, in a plain value that is updated by changes.
///
/// Two states that applied the same changes in the same order are equal.
public struct LiveState: ~Copyable, Sendable {
    private var peopleBox: UniqueBox<People>
    private var catalogueBox: UniqueBox<Catalogue>
    private var fencesBox = UniqueBox(Fences())
    var comments = Comments()
    var favourites = Favourites()
    var shares = Shares()
    var webhooks = Webhooks()
    var eventCounts = EventCounts()
    let gazetteer: Gazetteer
    /// Privacy rules that are turned off; none except in tests.
    let defences: Defences
    /// The row of the ping log for pings stored now.
    var logNumber: Int64 = 0
    /// The number of the last event; 0 before the first.
    var lastEvent: Int64 = 0

    init(people: consuming People, catalogue: consuming Catalogue, gazetteer: Gazetteer, defences: Defences) {
        peopleBox = UniqueBox(people)
        catalogueBox = UniqueBox(catalogue)
        self.gazetteer = gazetteer
        self.defences = defences
    }

    var people: People {
        @inline(__always) _read { yield peopleBox.value }
        @inline(__always) _modify { yield &peopleBox.value }
    }

    var catalogue: Catalogue {
        @inline(__always) _read { yield catalogueBox.value }
        @inline(__always) _modify { yield &catalogueBox.value }
    }

    var fences: Fences {
        @inline(__always) _read { yield fencesBox.value }
        @inline(__always) _modify { yield &fencesBox.value }
    }

    /// Returns a copy that shares no mutable memory with this one.
    func copy() -> LiveState {
        var copy = LiveState(
            people: people.copy(), catalogue: catalogue.copy(), gazetteer: gazetteer, defences: defences)
        copy.comments = comments
        copy.favourites = favourites
        copy.fences = fences
        copy.shares = shares
        copy.webhooks = webhooks
        copy.eventCounts = eventCounts
        copy.logNumber = logNumber
        copy.lastEvent = lastEvent
        return copy
    }

    /// Applies a change of fences, whose effect depends on the positions of people.
    mutating func apply(_ change: FenceChange) { fencesBox.value.apply(change, in: peopleBox.value) }

    mutating func apply(_ change: Change) {
        WorkBudget.count(10)
        switch change {
        case .people(let change):
            people.apply(change)
            eventCounts.apply(change)
            if case .deleted(let number) = change {
                comments.forget(author: number)
                favourites.forget(person: number)
                fences.forget(number)
                shares.forget(number)
            }
        case .ties(let change): people.apply(change)
        case .pings(let change): people.apply(change, inRow: logNumber)
        case .strangers(let change): people.apply(change)
        case .devices(let change): people.devices.apply(change)
        case .groups(let change): people.groups.apply(change)
        case .catalogue(let change):
            catalogue.apply(change)
            if case .placeDeleted(let number) = change {
                comments.forget(place: number)
                favourites.forget(.places, number.any)
            }
            if case .productDeleted(let number) = change { favourites.forget(.products, number.any) }
        case .comments(.put(let comment, _)): comments.put(comment)
        case .comments(.deleted(let number)): comments.remove(number)
        case .favourites(.added(let person, let kind, let other, let since)):
            favourites.add(kind, other, of: person, since: since)
        case .favourites(.removed(let person, let kind, let other)): favourites.remove(kind, other, of: person)
        case .fences(let change): apply(change)
        case .shares(let change): shares.apply(change)
        case .webhooks(let change): webhooks.apply(change)
        case .reported(let event): lastEvent = event.number
        }
    }
}
