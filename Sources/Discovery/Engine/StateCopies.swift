internal import Cities
internal import Dispatch
internal import Geo
internal import Model
internal import Storage
internal import Structures
internal import Synchronization

/// Reports the number of loaded rows of a table, and its approximate total.
public typealias LoadProgress = @Sendable (_ table: String, _ loaded: Int, _ total: Int) -> Void

/// A progress counter of the loaded rows of a table.
private struct LoadedCount {
    /// Number of rows between two reports.
    private static let step = 100_000

    let table: String
    let total: Int
    let report: LoadProgress
    private var loaded = 0

    init(of table: String, _ total: Int, _ report: @escaping LoadProgress) {
        (self.table, self.total, self.report) = (table, total, report)
    }

    mutating func count() {
        loaded += 1
        if loaded.isMultiple(of: Self.step) { report(table, loaded, total) }
    }
}

extension LiveState {
    /// Loads two copies of the stored state; people and places are loaded concurrently.
    static func load(
        from store: Store, _ gazetteer: Gazetteer, _ rules: PingRules, _ report: @escaping LoadProgress
    ) throws(StorageError) -> StateCopies {
        let peoples = [Slot<People>(), Slot<People>()]
        let catalogues = [Slot<Catalogue>(), Slot<Catalogue>()]
        let failure = Mutex<StorageError?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            do throws(StorageError) {
                if part == 0 {
                    var people = try People.load(from: store, rules.defences, report)
                    try store.forEachLeaving { people.leave($0) }
                    peoples[1].put(people.copy())
                    peoples[0].put(people)
                } else {
                    let catalogue = try Catalogue.load(from: store, gazetteer, report)
                    catalogues[1].put(catalogue.copy())
                    catalogues[0].put(catalogue)
                }
            } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        var first = LiveState(
            people: peoples[0].take(), catalogue: catalogues[0].take(), gazetteer: gazetteer, defences: rules.defences)
        var second = LiveState(
            people: peoples[1].take(), catalogue: catalogues[1].take(), gazetteer: gazetteer, defences: rules.defences)
        (first.comments, first.favourites) = try commentsAndFavourites(from: store)
        (second.comments, second.favourites) = (first.comments, first.favourites)
        try first.loadFences(from: store)
        first.startAllTimers()
        second.fences = first.fences
        try store.forEachShare { first.shares.apply($0) }
        try store.forEachWebhook { first.webhooks.apply(.made($0, $1, $2)) }
        (second.shares, second.webhooks) = (first.shares, first.webhooks)
        first.lastEvent = try store.lastEvent()
        second.lastEvent = first.lastEvent
        var copies = StateCopies(first: first, second: second)
        try copies.restoreVolatileState(from: store)
        return copies
    }

    private static func commentsAndFavourites(from store: Store) throws(StorageError) -> (Comments, Favourites) {
        var comments = Comments()
        try store.forEachComment { comments.put($0) }
        var favourites = Favourites()
        for kind in FavouriteKind.allCases {
            var entries: [(other: AnyNumber, person: PersonNumber, since: Timestamp)] = []
            try store.forEachFavourite(kind) { entries.append(($0, $1, $2)) }
            favourites.load(kind, entries)
        }
        return (comments, favourites)
    }
}

/// Two equal states that share no mutable memory.
struct StateCopies: ~Copyable {
    var first, second: LiveState
}

/// Hands a noncopyable value from the thread that made it to another.
private final class Slot<Value: ~Copyable & Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ value: consuming Value) {
        var given: Value? = value
        self.value.withLock { $0 = given.take() }
    }

    /// - Precondition: it holds a value.
    func take() -> Value {
        var taken: Value?
        value.withLock { taken = $0.take() }
        guard let taken else { preconditionFailure("nothing was put in") }
        return taken
    }
}

extension People {
    fileprivate static func load(
        from store: Store, _ defences: Defences, _ report: @escaping LoadProgress
    ) throws(StorageError) -> People {
        var people = People(
            key: SipKey(try store.secret(.order)), levels: defences.coarsens ? try store.cellLevels() : nil,
            zones: defences.displacesZones ? SipKey(try store.secret(.zones)) : nil)
        var progress = LoadedCount(of: "people", try store.countPeople(), report)
        people.reserveCapacity(progress.total)
        try store.forEachPerson { record, homeCell, last in
            progress.count()
            var state = PersonState(record, people.zones)
            state.traces.homeCell = homeCell
            if let last { state.follow(last) }
            people.insert(state)
        }
        try store.forEachLivePosition { person, fix in people.locate(person, at: fix) }
        try store.forEachFormerSharing { person, former, until in
            people.updateUnindexed(person) { $0.endTerms(SharingTerms(former), at: until) }
        }
        try store.forEachSearchOrigin { person, origin in people.apply(.searchOrigin(person: person, origin)) }
        try store.forEachResidence { person, residence in people.apply(.residence(person: person, residence)) }
        try store.forEachRememberedCells { people.apply(.rememberedCells(person: $0, $1)) }
        try store.forEachSuspect { person, newest in people.outliers.suspect(person, at: newest) }
        let recently = try store.newestFriendship().map { $0 - Position.longestStayShown }
        try store.forEachFriendship { asker, other, asked, since in
            guard let since else { return people.apply(.asked(by: asker, of: other, at: asked)) }
            // In this order each friend is appended to its list, which needs no search.
            people.befriend(asker, other, since: recently.map { since >= $0 } ?? false ? since : nil)
        }
        try store.forEachKeptEndOfTokens { people.apply(.endedTokensKept($0, before: $1)) }
        try store.forEachDevice { people.devices.apply($0) }
        try store.forEachGroup { people.groups.apply(.put($0)) }
        try store.forEachMembership { group, person, inviter, since in
            people.groups.apply(
                inviter.map { .invited(to: group, person, by: $0, at: since) } ?? .joined(group, person, at: since))
        }
        try store.forEachOpinion { people.apply($0) }
        return people
    }
}

extension Catalogue {
    fileprivate static func load(
        from store: Store, _ gazetteer: Gazetteer, _ report: @escaping LoadProgress
    ) throws(StorageError) -> Catalogue {
        var catalogue = Catalogue(gazetteer: gazetteer)
        var progress = LoadedCount(of: "places", try store.countPlaces(), report)
        catalogue.placeIndex.reserveCapacity(progress.total)
        try store.forEachPlace { record in
            progress.count()
            // Its stock is loaded later.
            catalogue.placeIndex.putUnordered(record, isStocked: false)
        }
        catalogue.placeIndex.order()
        try store.forEachProduct { catalogue.apply(.product($0, made: $1)) }
        try store.forEachStockItem { store, product, price, sizes in
            catalogue.apply(.stock(store: store, product: product, price: price, sizes: sizes))
        }
        return catalogue
    }
}

extension LiveState {
    fileprivate mutating func loadFences(from store: Store) throws(StorageError) {
        var records: [Versioned<Fence>] = []
        try store.forEachFence { records.append($0) }
        // Fences near each other on Earth become neighbors in memory.
        let corners = records.map { $0.value.area.corner.map { CubeCell(containing: $0, level: 20).id } ?? 0 }
        for place in records.indices.sorted(by: { (corners[$0], $0) < (corners[$1], $1) }) {
            apply(FenceChange.put(records[place]))
        }
        try store.forEachVisit { apply($0) }
    }
}

extension Fence.Area {
    /// A point of the area or near it; nil for areas given by places or people.
    fileprivate var corner: Coordinate? {
        switch self {
        case .circle(let centre, _): centre
        case .polygons(let polygons): polygons.first?.boundingBox.southWest
        case .corridor(let line, _): line.first
        case .place, .places, .person, .anywhere: nil
        }
    }
}
