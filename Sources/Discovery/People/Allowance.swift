/// Limits on the number of records that a person may create.
///
/// Existing records beyond a limit stay, and services may exceed it. Devices and groups have limits of their own.
public struct Allowance: Hashable, Sendable {
    /// A limited kind of record.
    public enum Possession: String, Sendable {
        case place, comment, friend, block, decision, favourite, fence, fenceCorner, watcher, nearFence, share
    }

    /// Places owned by a person.
    public var places = 200
    /// Comments written by a person.
    public var comments = 2000
    /// A person's friends and outgoing friend requests.
    public var friends = 5000
    /// People blocked by a person.
    public var blocks = 10_000
    /// A person's decisions about others.
    public var decisions = 100_000
    /// A person's favorites of a kind.
    public var favourites = 10_000

    /// Fences owned by a person.
    public var fences = 100
    /// Corners of all of a person's fences together; a circle counts as one.
    public var fenceCorners = 10_000
    /// Friends' fences around a person.
    public var watchers = 100
    /// A person's proximity fences for all friends or a group; each checks every friend or member.
    public var nearFences = 1
    /// A person's open links.
    public var shares = 20
    /// Stored events caused by a person in an hour; further ones are not reported.
    public var events = 1000

    /// The default limits.
    public init() {}

    /// Refuses another record to a person who has `count` already.
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
