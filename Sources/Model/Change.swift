public import Geo

/// A change of the state, by domain: storage writes it and the live state applies it.
///
/// People, places and products are identified by their numbers, which are never reused while the service runs.
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
    /// An event was emitted.
    case reported(Event)
}

/// A change of people.
public enum PeopleChange: Sendable {
    /// A person was created or replaced.
    case put(Versioned<Person>)
    /// The sharing settings of a person from an instant on, without the privacy zones.
    case shared(person: PersonNumber, Sharing, at: Timestamp)
    /// The public cell of a person who never sent a position.
    case homeCell(person: PersonNumber, CubeCell?)
    /// The deletion of a person has begun, and the id no longer finds them.
    case leaving(PersonNumber)
    /// At most this number of rows that only storage keeps were erased for a person about to be deleted.
    ///
    /// Positions come last, oldest first; the newest believed position remains.
    case tracesErased(person: PersonNumber, atMost: Int)
    /// A person was deleted, with all ties and positions.
    case deleted(PersonNumber)
    /// Tokens issued before a time stay ended for the id with this keyed hash, whose person is deleted.
    case endedTokensKept(UInt64, before: Timestamp?)
    /// A person with this id was deleted at an instant; applied only by the live state.
    case recentlyDeleted(PersonID, at: Timestamp)
    /// A stored event caused by a person was emitted at an instant; applied only by the live state.
    case eventCounted(of: PersonNumber, inFencesOfServices: Bool, at: Timestamp)
    /// The limit of events caused by a person was reported at an instant; applied only by the live state.
    case eventsLimited(of: PersonNumber, inFencesOfServices: Bool, at: Timestamp)
}

/// A change of the ties between people.
public enum TieChange: Sendable {
    /// A person requested a friendship, which is not answered yet.
    case asked(by: PersonNumber, of: PersonNumber, at: Timestamp)
    /// Two people became friends; requests between them are removed.
    case made(PersonNumber, PersonNumber, at: Timestamp)
    /// A friendship or a request ended, in either direction.
    case ended(PersonNumber, PersonNumber, at: Timestamp)
    /// The first person blocked the second.
    case blocked(by: PersonNumber, PersonNumber, at: Timestamp)
    /// The first person no longer blocks the second.
    case unblocked(by: PersonNumber, PersonNumber)
    /// A person decided whether they like another, replacing an earlier decision.
    case decided(by: PersonNumber, about: PersonNumber, likes: Bool, at: Timestamp)
    /// A person withdrew a decision about another.
    case undecided(by: PersonNumber, about: PersonNumber)
    /// A person withdrew all decisions about people with this number or a greater one.
    case allUndecided(by: PersonNumber, from: PersonNumber)
    /// A person's private note about a friend; nil removes it.
    case noted(FriendAttribute, String?, about: PersonNumber, by: PersonNumber)
}

/// A change of stored positions.
public enum PingChange: Sendable {
    /// A position was stored.
    case stored(StoredPing)
    /// A stored position was contradicted by three later ones: it remains in the history without other effects.
    case suspected(StoredPing)
    /// The newest believed position of a person, after a newer one was marked suspect; applied only by the live state.
    case newest(person: PersonNumber, StoredPing?)
    /// The evidence against stored positions of a person; applied only by the live state.
    case outlierRun(person: PersonNumber, OutlierRun)
    /// The confirmed stay near a stored position, from a ping or a deletion received at an instant; applied only by the
    /// live state.
    case confirmed(person: PersonNumber, PingKey, Stay, at: Timestamp)
    /// The stay near a stored position, now written to storage; with the position if it is still in the log.
    case stayWritten(person: PersonNumber, PingKey, Stay, logged: StoredPing? = nil)
    /// The live position by a ping received at an instant, if newer than the stored positions; nil if there is none.
    ///
    /// Applied only by the live state.
    case livePositionChanged(person: PersonNumber, LiveFix?, at: Timestamp)
    /// The live position, now written to storage.
    case livePositionWritten(person: PersonNumber, LiveFix?)
    /// The stored events about a person in an interval were permanently deleted; the live state ignores it.
    case eventsErased(person: PersonNumber, during: ClosedRange<Timestamp>)
    /// Pings of a person were permanently deleted, some of them from these log rows; `newest` is the remaining newest
    /// position.
    case erased(person: PersonNumber, Set<PingKey>, logRows: Set<Int64>, newest: StoredPing?)
}

/// A change of discovery among strangers.
public enum StrangerChange: Sendable {
    /// The search origin of a person among strangers; nil for none.
    case searchOrigin(person: PersonNumber, SearchOrigin?)
    /// Since when a person can be found in a neighborhood; nil if they cannot.
    case residence(person: PersonNumber, Residence?)
    /// The places near cell borders where a person stays, and the privacy zones, with the public cells recorded there.
    case rememberedCells(person: PersonNumber, [RememberedCell])
    /// From an instant on the first cells have enough people, and the others no longer do.
    case levels(since: Timestamp, denser: [CubeCell], sparser: [CubeCell])
    /// People with these numbers adopt the decided cell levels; applied only by the live state.
    case levelled(people: Range<PersonNumber>)
    /// The computation of cell levels at an instant is complete.
    case levelsMade(Timestamp)
}

/// A change of people's devices.
public enum DeviceChange: Sendable {
    /// A device was registered under a number, or its token was replaced.
    case put(DeviceNumber, of: PersonNumber, Device)
    /// The last contact of a device, now written to storage.
    case contact(DeviceNumber, at: Timestamp)
    /// A device was removed.
    case removed(DeviceNumber)
}

/// A change of places, products and stock.
public enum CatalogueChange: Sendable {
    /// A place was created or replaced.
    case place(Versioned<Place>)
    /// A place was deleted, with its stock.
    case placeDeleted(PlaceNumber)
    /// A product was created or replaced; the time is its creation.
    case product(Versioned<Product>, made: Timestamp)
    /// A product was deleted, with all stock of it.
    case productDeleted(ProductNumber)
    /// The stock of a product in a store, replacing the former stock.
    case stock(store: PlaceNumber, product: ProductNumber, price: Money?, sizes: [SizeQuantity])
    /// A store no longer has a product.
    case stockDeleted(store: PlaceNumber, product: ProductNumber)
}

/// A change of comments.
public enum CommentChange: Sendable {
    /// A comment was created or changed to this text.
    case put(PlaceComment, text: String)
    /// A comment was deleted.
    case deleted(CommentNumber)
}

/// A change of favorites.
public enum FavouriteChange: Sendable {
    /// A person, place or product became a favorite of a person.
    case added(person: PersonNumber, FavouriteKind, other: AnyNumber, since: Timestamp)
    /// A person, place or product is not a favorite of a person any longer.
    case removed(person: PersonNumber, FavouriteKind, other: AnyNumber)
}
