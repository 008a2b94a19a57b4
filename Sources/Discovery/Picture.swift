internal import Geo
internal import Storage

/// The live picture: who is where, who knows whom, which store has what. A plain value that follows changes.
///
/// Two pictures that followed the same changes in the same order are alike.
public struct Picture: ~Copyable, Sendable {
    var crowd = Crowd()
    var directory = Directory()
    var shelves = Shelves()
    let gazetteer: Gazetteer
    /// The row of the ping log that pings stored now will be in.
    var logNumber: Int64 = 0

    init(gazetteer: Gazetteer) { self.gazetteer = gazetteer }

    private init(copying other: borrowing Picture) {
        crowd = other.crowd.copy()
        directory = other.directory.copy()
        shelves = other.shelves
        gazetteer = other.gazetteer
        logNumber = other.logNumber
    }

    func copy() -> Picture { Picture(copying: self) }

    /// Follows one change.
    mutating func apply(_ change: Change) {
        switch change {
        case .person(let record): crowd.put(record)
        case .personDeleted(let number): crowd.remove(number)
        case .homeCell(let person, let cell):
            crowd.update(person) { state in if state.last == nil { state.publicCell = cell } }
        case .ping(let ping): crowd.append(LoggedPing(ping: ping, logNumber: logNumber))
        case .place(let record):
            directory.put(record, isStocked: !shelves.items(of: record.number).isEmpty)
        case .placeDeleted(let number):
            shelves.clear(store: number)
            directory.remove(number)
        case .product(let record): shelves.put(record)
        case .productDeleted(let number):
            let stores = shelves.stores(having: number).numbers
            shelves.remove(number)
            for store in stores { directory.setStocked(store, !shelves.items(of: store).isEmpty) }
        case .stock(let store, let product, let price, let sizes):
            shelves.stock(store: store, Shelves.Item(product: product, price: price, sizes: Shared(sizes)))
            directory.setStocked(store, true)
        case .stockDeleted(let store, let product):
            shelves.unstock(store: store, product: product)
            directory.setStocked(store, !shelves.items(of: store).isEmpty)
        case .friendshipAsked, .friendshipMade, .friendshipEnded, .blocked, .unblocked, .decided, .undecided:
            applyRelation(change)
        }
    }

    private mutating func applyRelation(_ change: Change) {
        switch change {
        case .friendshipAsked(let asker, let other, _):
            crowd.update(asker) { $0.asked.insert(other) }
            crowd.update(other) { $0.askedBy.insert(asker) }
        case .friendshipMade(let a, let b, _):
            separate(a, b)
            crowd.update(a) { $0.friends.insert(b) }
            crowd.update(b) { $0.friends.insert(a) }
        case .friendshipEnded(let a, let b): separate(a, b)
        case .blocked(let person, let other, _):
            crowd.update(person) { $0.blocks.insert(other) }
            crowd.update(other) { $0.blockedBy.insert(person) }
        case .unblocked(let person, let other):
            crowd.update(person) { $0.blocks.remove(other) }
            crowd.update(other) { $0.blockedBy.remove(person) }
        case .decided(let person, let other, let likes, _):
            crowd.update(person) { state in
                if likes {
                    state.dislikes.remove(other)
                    state.likes.insert(other)
                } else {
                    state.likes.remove(other)
                    state.dislikes.insert(other)
                }
            }
        case .undecided(let person, let other):
            crowd.update(person) { state in
                state.likes.remove(other)
                state.dislikes.remove(other)
            }
        default: preconditionFailure("only relations come here")
        }
    }

    private mutating func separate(_ a: Int32, _ b: Int32) {
        for (one, other) in [(a, b), (b, a)] {
            crowd.update(one) { state in
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
        if let last, (last.time, last.sequence) >= (ping.time, ping.sequence) { return }
        last = Waypoint(ping)
        publicCell = ping.publicCell
    }
}
