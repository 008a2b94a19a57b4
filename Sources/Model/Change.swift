public import Geo

/// One change of the world, of a room: what the storage writes and the live picture follows, alike.
///
/// People, places and products are named by their numbers, which are never given twice while the service runs.
public enum Change: Sendable {
    case people(PeopleChange)
    case ties(TieChange)
    case pings(PingChange)
    case strangers(StrangerChange)
    case devices(DeviceChange)
    case groups(GroupChange)
    case catalogue(CatalogueChange)
    case comments(CommentChange)
    case favourites(FavouriteChange)
    case fences(FenceChange)
    case shares(ShareChange)
    case webhooks(WebhookChange)
    /// Something that followed from a change is told.
    case told(Event)
}

/// A change of people.
public enum PeopleChange: Sendable {
    /// A person was created or replaced.
    case put(Versioned<Person>)
    /// What a person shares from now on, without the zones.
    case shared(person: PersonNumber, Sharing, at: Timestamp)
    /// The cell by which strangers may find a person who never sent a position.
    case homeCell(person: PersonNumber, CubeCell?)
    /// The deletion of a person has begun, whom nobody finds by the id any more.
    case leaving(PersonNumber)
    /// So many rows of a person who is about to be deleted are gone, which only the storage keeps: positions last, but for the
    /// newest one that is believed, and the oldest first.
    case tracesErased(person: PersonNumber, atMost: Int)
    /// A person is gone, with all ties and positions.
    case deleted(PersonNumber)
    /// Somebody of this id was deleted at an instant; only the live picture follows it.
    case recentlyDeleted(PersonID, at: Timestamp)
    /// A kept event that a person brought about was told at an instant; only the live picture follows it.
    case eventCounted(of: PersonNumber, inFencesOfServices: Bool, at: Timestamp)
    /// It was told at an instant that events are missing which a person brought about; only the live picture follows it.
    case eventsLimited(of: PersonNumber, inFencesOfServices: Bool, at: Timestamp)
}

/// A change of how people stand to each other.
public enum TieChange: Sendable {
    /// One person asked another for friendship, who has not answered.
    case asked(by: PersonNumber, of: PersonNumber, at: Timestamp)
    /// Two people are friends from now on, and no request is left between them.
    case made(PersonNumber, PersonNumber, at: Timestamp)
    /// The end of a friendship or of a request, whoever asked.
    case ended(PersonNumber, PersonNumber, at: Timestamp)
    /// The first person blocked the second.
    case blocked(by: PersonNumber, PersonNumber, at: Timestamp)
    /// The first person no longer blocks the second.
    case unblocked(by: PersonNumber, PersonNumber)
    /// One person said whether they like another, in place of what they said before.
    case decided(by: PersonNumber, about: PersonNumber, likes: Bool, at: Timestamp)
    /// One person took a decision about another back.
    case undecided(by: PersonNumber, about: PersonNumber)
    /// One person took back all decisions about people of a number and later ones.
    case allUndecided(by: PersonNumber, from: PersonNumber)
    /// What a person notes about a friend; nil for nothing any more.
    case noted(FriendAttribute, String?, about: PersonNumber, by: PersonNumber)
}

/// A change of stored positions.
public enum PingChange: Sendable {
    /// A position was kept.
    case stored(StoredPing)
    /// A stored position was contradicted by three later ones: it stays in the history, and nothing else follows from it.
    case suspected(StoredPing)
    /// The newest position of a person that is believed, now that a later one is not; only the live picture follows it.
    case newest(person: PersonNumber, StoredPing?)
    /// What speaks against stored positions of a person; only the live picture follows it.
    case outlierRun(person: PersonNumber, OutlierRun)
    /// How long a person was near a stored position, as a ping or a deletion received at an instant tells; only the live
    /// picture follows it.
    case confirmed(person: PersonNumber, PingKey, Stay, at: Timestamp)
    /// How long a person is known to have been near a stored position, which is kept now; with the position if that is still
    /// in the log.
    case seen(person: PersonNumber, PingKey, Stay, logged: StoredPing? = nil)
    /// Where a person is by a ping received at an instant, if that is later than what is stored; nil for nowhere else than
    /// stored. Only the live picture follows it.
    case located(person: PersonNumber, LiveFix?, at: Timestamp)
    /// Where a person is, which is kept now.
    case kept(person: PersonNumber, LiveFix?)
    /// What events told of a person in an interval is deleted for good; the live picture does not know it.
    case untold(person: PersonNumber, during: ClosedRange<Timestamp>)
    /// Pings of a person are deleted for good, some of them from these rows of the log; then the newest is another or none.
    case erased(person: PersonNumber, Set<PingKey>, logRows: Set<Int64>, newest: StoredPing?)
}

/// A change of how strangers find each other.
public enum StrangerChange: Sendable {
    /// From where a person looks for strangers; nil for nowhere.
    case viewpoint(person: PersonNumber, Viewpoint?)
    /// Since when a person can be found in a neighborhood; nil for who cannot.
    case residence(person: PersonNumber, Residence?)
    /// Where a person stays now and then, and the person's zones, with the cells that strangers know there.
    case rememberedCells(person: PersonNumber, [RememberedCell])
    /// From an instant on these cells have enough people, and those no longer.
    case levels(since: Timestamp, denser: [CubeCell], sparser: [CubeCell])
    /// People of these numbers follow what was decided about cells; only the live picture does.
    case levelled(people: Range<PersonNumber>)
    /// How fine public cells are was decided at an instant, all of it.
    case levelsMade(Timestamp)
}

/// A change of the devices of people.
public enum DeviceChange: Sendable {
    /// A device of a person was registered under a number, or has another token.
    case put(DeviceNumber, of: PersonNumber, Device)
    /// A request with the token of a device came at an instant, which is kept now.
    case heard(DeviceNumber, at: Timestamp)
    /// The device of a number is gone.
    case removed(DeviceNumber)
}

/// A change of places, products and stock.
public enum CatalogueChange: Sendable {
    /// A place was created or replaced.
    case place(Versioned<Place>)
    /// A place is gone, with its stock.
    case placeDeleted(PlaceNumber)
    /// A product was created or replaced; the time is that of its creation.
    case product(Versioned<Product>, made: Timestamp)
    /// A product is gone, from all shelves too.
    case productDeleted(ProductNumber)
    /// What a store has of a product, in place of what it had.
    case stock(store: PlaceNumber, product: ProductNumber, price: Money?, sizes: [SizeQuantity])
    /// A store no longer has a product.
    case stockDeleted(store: PlaceNumber, product: ProductNumber)
}

/// A change of comments.
public enum CommentChange: Sendable {
    /// A comment was made or changed: these are its words now.
    case put(PlaceComment, text: String)
    /// A comment is gone.
    case deleted(CommentNumber)
}

/// A change of favorites.
public enum FavouriteChange: Sendable {
    /// Somebody, a place or a product became a favorite of a person.
    case added(person: PersonNumber, FavouriteKind, other: AnyNumber, since: Timestamp)
    /// Somebody, a place or a product is no favorite of a person any more.
    case removed(person: PersonNumber, FavouriteKind, other: AnyNumber)
}
