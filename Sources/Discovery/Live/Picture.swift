internal import Cities
internal import Geo
internal import Model
internal import Storage
internal import Structures

/// The live picture: who is where, who knows whom, which store has what.
///
/// A plain value that follows changes.
///
/// Two pictures that followed the same changes in the same order are alike.
public struct Picture: ~Copyable, Sendable {
    var crowd: Crowd
    var catalogue: Catalogue
    var comments = Comments()
    var favourites = Favourites()
    let gazetteer: Gazetteer
    /// What of the rules is turned off; nothing but in tests.
    let defences: Defences
    /// The row of the ping log that pings stored now will be in.
    var logNumber: Int64 = 0

    init(crowd: consuming Crowd, catalogue: consuming Catalogue, gazetteer: Gazetteer, defences: Defences) {
        self.crowd = crowd
        self.catalogue = catalogue
        self.gazetteer = gazetteer
        self.defences = defences
    }

    /// A picture that shares nothing that is ever changed with this one.
    func copy() -> Picture {
        var copy = Picture(crowd: crowd.copy(), catalogue: catalogue.copy(), gazetteer: gazetteer, defences: defences)
        copy.comments = comments
        copy.favourites = favourites
        copy.logNumber = logNumber
        return copy
    }

    /// Follows one change.
    mutating func apply(_ change: Change) {
        Effort.count(10)
        switch change {
        case .ping(let ping): crowd.append(LoggedPing(ping: ping, logNumber: logNumber))
        case .suspected(let ping): crowd.suspect(ping)
        case .newest(let person, let ping): crowd.relocate(person, to: ping)
        case .doubted(let person, let doubt): crowd.hindsight.doubt(person, doubt)
        case .sighted(let person, let key, let stay, let at): crowd.sight(person, key, stay, at: at)
        case .seen(let person, let key, let stay, _): crowd.keep(person, key, stay)
        case .tracesErased: break
        case .personDeleted(let number):
            crowd.apply(change)
            comments.forget(author: number)
            favourites.forget(person: number)
        case .person, .personLeaving, .shared, .departed, .pingsErased, .homeCell, .viewpoint, .residence, .haunts,
            .levels, .levelled, .levelsMade, .friendshipAsked, .friendshipMade, .friendshipEnded, .blocked, .unblocked,
            .decided,
            .undecided, .device,
            .deviceRemoved, .group, .label:
            crowd.apply(change)
        case .placeDeleted(let number):
            catalogue.apply(change)
            comments.forget(place: number)
            favourites.forget(.places, number)
        case .productDeleted(let number):
            catalogue.apply(change)
            favourites.forget(.products, number)
        case .place, .product, .stock, .stockDeleted: catalogue.apply(change)
        case .comment(let comment, _): comments.put(comment)
        case .commentDeleted(let number): comments.remove(number)
        case .favourite(let person, let kind, let other, let since):
            favourites.mark(kind, other, of: person, since: since)
        case .favouriteRemoved(let person, let kind, let other): favourites.unmark(kind, other, of: person)
        }
    }
}

extension Crowd {
    /// Follows a change of people or their ties.
    mutating func apply(_ change: Change) {
        switch change {
        case .person(let record): put(record)
        case .shared(let person, let sharing, let at):
            // Of somebody new nothing else is known; before that they are taken to have shared what who states nothing does.
            tie(person) { state in
                state.endTerms(state.person.sharing.dated == sharing ? SharingTerms(Sharing()) : nil, at: at)
            }
        case .personLeaving(let number): leave(number)
        case .personDeleted(let number): remove(number)
        case .departed(let id, let at): departed.insert(id, at: at)
        case .pingsErased(let person, let keys, _, let newest):
            hindsight.erase(keys, of: person)
            tie(person) { $0.tail.erase(keys) }
            relocate(person, to: newest)
        case .homeCell(let person, let cell): update(person) { $0.homeCell = cell }
        case .viewpoint(let person, let viewpoint): tie(person) { $0.viewpoint = viewpoint }
        case .residence(let person, let residence): tie(person) { $0.residence = residence }
        case .haunts(let person, let haunts): tie(person) { $0.haunts = haunts }
        case .levels(let since, let denser, let sparser): decide(since: since, denser: denser, sparser: sparser)
        case .levelled(let people): level(people)
        case .levelsMade(let made): decide(made: made)
        case .friendshipAsked(let asker, let other, _):
            tie(asker) { $0.asked.insert(other) }
            tie(other) { $0.askedBy.insert(asker) }
        case .friendshipMade(let a, let b, _):
            separate(a, b)
            tie(a) { $0.friends.insert(b) }
            tie(b) { $0.friends.insert(a) }
        case .friendshipEnded(let a, let b, _): separate(a, b)
        case .blocked(let person, let other, _):
            tie(person) { $0.blocks.insert(other) }
            tie(other) { $0.blockedBy.insert(person) }
        case .unblocked(let person, let other):
            tie(person) { $0.blocks.remove(other) }
            tie(other) { $0.blockedBy.remove(person) }
        case .decided(let person, let other, let likes, _): tie(person) { $0.decide(about: other, likes: likes) }
        case .undecided(let person, let other): tie(person) { $0.decide(about: other, likes: nil) }
        case .device(let number, let person, let device): devices.put(number, of: person, device)
        case .deviceRemoved(let number): devices.remove(number)
        case .group(let change): groups.apply(change)
        case .label(let label, let friend, let person): labels.put(label, of: friend, by: person)
        case .tracesErased, .ping, .suspected, .newest, .doubted, .sighted, .seen, .place, .placeDeleted, .product,
            .productDeleted, .stock, .stockDeleted, .comment, .commentDeleted, .favourite, .favouriteRemoved:
            preconditionFailure("only people and their ties come here")
        }
    }

    private mutating func separate(_ a: Int32, _ b: Int32) {
        for (one, other) in [(a, b), (b, a)] {
            tie(one) { state in
                state.friends.remove(other)
                state.asked.remove(other)
                state.askedBy.remove(other)
            }
        }
    }
}

extension PersonState {
    /// Takes a stored ping for the newest position if it is.
    mutating func follow(_ ping: StoredPing) {
        if let last, last.key >= ping.key { return }
        last = Waypoint(ping)
    }

    /// Takes a decision about another person; nil takes it back.
    fileprivate mutating func decide(about other: Int32, likes: Bool?) {
        self.likes.remove(other)
        dislikes.remove(other)
        switch likes {
        case true?: self.likes.insert(other)
        case false?: dislikes.insert(other)
        case nil: break
        }
    }
}
