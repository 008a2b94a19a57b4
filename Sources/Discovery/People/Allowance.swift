/// How many things a person may have by their own doing.
///
/// What is there beyond it stays, and services may add to it. Further ones, such as devices and groups, are bounded where they are.
public struct Allowance: Hashable, Sendable {
    /// Something of which a person may have so many.
    public enum Possession: String, Sendable {
        case place, comment, friend, block, decision, favourite, fence, fenceCorner, watcher, nearFence, share
    }

    /// Places that a person owns.
    public var places = 200
    /// Comments that a person wrote.
    public var comments = 2000
    /// Friends of a person, with those who were asked to be.
    public var friends = 5000
    /// People whom a person blocks.
    public var blocks = 10_000
    /// People about whom a person decided.
    public var decisions = 100_000
    /// What a person has among the favourites of a kind.
    public var favourites = 10_000

    /// Fences of a person.
    public var fences = 100
    /// Corners of all fences of a person together: a circle has one.
    public var fenceCorners = 10_000
    /// Fences of friends about a person.
    public var watchers = 100
    /// Fences of a person about how near all friends come, or the members of a group: each is a look at each of those.
    public var nearFences = 1
    /// Links to where a person is that are open at the same time.
    public var shares = 20
    /// Kept events that a person brings about in an hour; further ones are not told.
    public var events = 1000

    /// The numbers that hold when nothing is configured.
    public init() {}

    /// Refuses one more to a person who has so many.
    func refuse(_ possession: Possession, after count: Int, of caller: Caller) throws(Refusal) {
        let most =
            switch possession {
            case .place: places
            case .comment: comments
            case .friend: friends
            case .block: blocks
            case .decision: decisions
            case .favourite: favourites
            case .fence: fences
            case .fenceCorner: fenceCorners
            case .watcher: watchers
            case .nearFence: nearFences
            case .share: shares
            }
        guard caller == .service || count < most else { throw .tooMany(possession, most) }
    }
}
